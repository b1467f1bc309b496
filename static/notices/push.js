// Notices are pushed to the service worker when the page is closed.

import { byId } from "./page.js";

/** @type {(to: string, fields: Record<string, string>) => Promise<Response>} */
const post = (to, fields) => fetch(to, { method: "POST", body: new URLSearchParams(fields) });

export async function subscribe() {
  const worker = await navigator.serviceWorker.register("/sw.js");
  await navigator.serviceWorker.ready;
  const key = byId("notices").dataset.pushKey;
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint = "", keys } = subscription.toJSON();
  return (await post("/push", { endpoint, p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" })).ok;
}

export async function unsubscribe() {
  const worker = await navigator.serviceWorker?.getRegistration("/");
  const subscription = await worker?.pushManager?.getSubscription();
  if (!subscription) return;
  await post("/push/forget", { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}

// Browsers renew their subscriptions now and then, and another player may sit here than last time.
if (byId("switch-notify")?.checked) subscribe().catch(() => {});
