"""Notices: the service worker, this browser's subscription, a table's webhook."""

from fastapi import APIRouter
from starlette.responses import FileResponse, RedirectResponse, Response

from app.paths import STATIC
from app.services.notifications import subscriptions
from app.web.deps import FormDep, VisitDep, known, text
from snug.words import language

router = APIRouter()
_LONGEST = 2000


@router.get("/sw.js")
def service_worker() -> Response:
    """At the top, because a service worker looks after the addresses below its own."""
    return FileResponse(STATIC / "sw.js", media_type="text/javascript")


@router.post("/push")
def subscribe(visit: VisitDep, form: FormDep) -> Response:
    """This browser wants to hear when it is its player's turn."""
    endpoint, p256dh, auth = (text(form, name, longest=_LONGEST) for name in ("endpoint", "p256dh", "auth"))
    visit.context.write(subscriptions.subscribe, known(visit.me).id, endpoint, p256dh, auth, language())
    return Response(status_code=204)


@router.post("/push/forget")
def unsubscribe(visit: VisitDep, form: FormDep) -> Response:
    """It does not want to any more."""
    visit.context.write(subscriptions.unsubscribe, known(visit.me).id, text(form, "endpoint", longest=_LONGEST))
    return Response(status_code=204)


@router.post("/t/{slug}/webhook")
def set_webhook(visit: VisitDep, form: FormDep) -> Response:
    """The host names the table's webhook, or none."""
    visit.context.write(
        subscriptions.set_webhook, visit.slug, known(visit.me).id, text(form, "url", longest=_LONGEST).strip()
    )
    return RedirectResponse(f"/t/{visit.slug}", 303)
