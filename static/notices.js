// What makes itself heard at a table: unread talk, notices; and what moves and sounds, once the page is there. The switches
// are this browser's own.

const live = () => document.getElementById("live");
const byId = (id) => document.getElementById(id);
const path = location.pathname;
const words = byId("notices-script").dataset; // in the reader's language

// --- Talk: what was sent leaves the field, what is half typed stays; the badge counts what was said behind a closed panel.

document.addEventListener("htmx:after:request", (event) => {
  const { request, response } = event.detail.ctx;
  const field = byId("talk-text");
  if (response.status === 200 && field && request.body?.get("text") === field.value) field.value = "";
});

const readKey = `read:${path}`;
const newestSaid = () => Math.max(0, ...[...document.querySelectorAll("[data-said]")].map((line) => Number(line.dataset.said)));

function countUnread() {
  const panel = byId("happened");
  if (!panel) return;
  let read = Number(localStorage.getItem(readKey) ?? 0);
  if (panel.open || panel.querySelector("#log")?.checkVisibility()) {
    const newest = newestSaid();
    if (newest !== read) localStorage.setItem(readKey, String((read = newest)));
  }
  const unread = [...panel.querySelectorAll("[data-said]:not(.mine)")].filter((line) => Number(line.dataset.said) > read);
  const badge = byId("unread");
  const [count] = badge.children;
  if (count.textContent !== String(unread.length)) count.textContent = String(unread.length);
  if (badge.hidden !== !unread.length) badge.hidden = !unread.length;
}
document.addEventListener("toggle", (event) => event.target.id === "happened" && countUnread(), true);

// --- My turn has come: once, when the page that was waiting becomes one that may act.

let wasMyTurn = live()?.dataset.myTurn === "true";

function look() {
  countUnread();
  const table = live();
  const isMyTurn = table?.dataset.myTurn === "true";
  if (isMyTurn && !wasMyTurn) {
    if (isOn("notify") && document.hidden) notice(words.turn, table.dataset.title, path);
  }
  wasMyTurn = isMyTurn;
}
document.addEventListener("htmx:after:swap", look);

// --- Notices: asked for at the click, shown by the service worker, pushed to it when the page is closed.

const able = () => "serviceWorker" in navigator && "Notification" in window;
const why = (sentence) => byId("notify-why") && (byId("notify-why").textContent = sentence);

async function notice(title, body, url) {
  if (!mayNotify()) return;
  const worker = await navigator.serviceWorker.ready;
  worker.showNotification(title, { body, tag: url.split("/")[2], data: { url } });
}

document.addEventListener("snug:called", ({ detail }) => {
  if (isOn("notify") && document.hidden) notice(detail.notice, detail.body, detail.called);
});

const post = (to, fields) => fetch(to, { method: "POST", body: new URLSearchParams(fields) });

async function subscribe() {
  const worker = await navigator.serviceWorker.register("/sw.js");
  await navigator.serviceWorker.ready;
  const key = byId("notices").dataset.pushKey;
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = subscription.toJSON();
  return (await post("/push", { endpoint, p256dh: keys.p256dh, auth: keys.auth })).ok;
}

async function unsubscribe() {
  const worker = await navigator.serviceWorker?.getRegistration("/");
  const subscription = await worker?.pushManager?.getSubscription();
  if (!subscription) return;
  await post("/push/forget", { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}

async function wantNotices(box) {
  if (!able()) return refuse(box, words.unsafe.replace("{scheme}", "https://"));
  if ((await Notification.requestPermission()) !== "granted") return refuse(box, words.denied);
  setSwitches(); // a poll may have come while the browser asked
  let pushed = false;
  try {
    pushed = await subscribe();
  } catch {
    // No push service can be reached: notices of an open page still work.
  }
  why(pushed ? words.pushed : words.unpushed);
}

function refuse(box, sentence) {
  box.checked = false;
  keep("notify", false);
  why(sentence);
}

// --- The switches.

const isOn = (name) => localStorage.getItem(`on:${name}`) === "true";
const keep = (name, on) => localStorage.setItem(`on:${name}`, String(on));

const mayNotify = () => able() && Notification.permission === "granted";

function setSwitches() {
  for (const box of document.querySelectorAll("[data-switch]")) {
    box.checked = isOn(box.dataset.switch) && (box.dataset.switch !== "notify" || mayNotify());
  }
}

document.addEventListener("change", (event) => {
  const box = event.target.closest?.("[data-switch]");
  if (!box) return;
  keep(box.dataset.switch, box.checked);
  if (box.dataset.switch !== "notify") return;
  if (box.checked) wantNotices(box);
  else {
    why("");
    unsubscribe();
  }
});
document.addEventListener("htmx:after:swap", setSwitches);

setSwitches();
countUnread();
// Without them a table is still and silent, and calls nobody to another.
for (const more of [words.motion, words.sound, words.calls]) if (more) import(more).catch(() => {});
// Browsers renew their subscriptions now and then, and another player may sit here than last time.
if (byId("switch-notify")?.checked) subscribe().catch(() => {});
