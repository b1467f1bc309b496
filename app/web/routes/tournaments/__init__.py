"""Tournaments: opened and set up, read, and what people and organisers do there."""

from fastapi import APIRouter

from app.web.routes.tournaments import acts, pages, set_up

router = APIRouter()
for part in (set_up, acts, pages):  # /tournaments/new comes before the page of a tournament
    router.include_router(part.router)
