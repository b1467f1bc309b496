"""Notices: the service worker, this browser's subscription, a table's webhook."""

from fastapi import APIRouter
from starlette.responses import FileResponse, RedirectResponse, Response

from app.paths import STATIC
from app.services.notifications import subscriptions
from app.web.deps import ContextDep, FormDep, PlayerDep, known, text
from snug.words import language

router = APIRouter()
_LONGEST = 2000


@router.get("/sw.js")
def service_worker() -> Response:
    """At the top, because a service worker looks after the addresses below its own."""
    return FileResponse(STATIC / "sw.js", media_type="text/javascript")


@router.post("/push")
def subscribe(context: ContextDep, me: PlayerDep, form: FormDep) -> Response:
    """This browser wants to hear when it is its player's turn."""
    endpoint, p256dh, auth = (text(form, name, longest=_LONGEST) for name in ("endpoint", "p256dh", "auth"))
    context.write(subscriptions.subscribe, known(me).id, endpoint, p256dh, auth, language())
    return Response(status_code=204)


@router.post("/push/forget")
def unsubscribe(context: ContextDep, me: PlayerDep, form: FormDep) -> Response:
    """It does not want to any more."""
    context.write(subscriptions.unsubscribe, known(me).id, text(form, "endpoint", longest=_LONGEST))
    return Response(status_code=204)


@router.post("/t/{slug}/webhook")
def set_webhook(slug: str, context: ContextDep, me: PlayerDep, form: FormDep) -> Response:
    """The host names the table's webhook, or none."""
    context.write(subscriptions.set_webhook, slug, known(me).id, text(form, "url", longest=_LONGEST).strip())
    return RedirectResponse(f"/t/{slug}", 303)
