// Shows the notices that the room pushes to this browser, and leads back to the table they are about.
// It keeps one page, for when the room cannot be reached, and nothing of any table: without the room there is no game.

self.addEventListener("push", (event) => {
  event.waitUntil(show(event.data?.json() ?? {}));
});

/** @type {(told: { title?: string, body?: string, url?: string, tag?: string }) => Promise<void>} */
async function show({ title = "Snug", body = "", url = "/", tag }) {
  const pages = await openPages();
  if (pages.some((page) => page.visibilityState === "visible" && pathOf(page.url) === pathOf(url))) return;
  await registration.showNotification(title, { body, tag, renotify: Boolean(tag), data: { url } });
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(lead(pathOf(event.notification.data?.url ?? "/")));
});

/** @type {(path: string) => Promise<void>} */
async function lead(path) {
  const pages = await openPages();
  const page = pages.find((each) => pathOf(each.url) === path);
  await (page ? page.focus() : clients.openWindow(path));
}

const openPages = () => clients.matchAll({ type: "window", includeUncontrolled: true });

// Only ever a path of this room, whatever the message says.
/** @type {(url: string) => string} */
function pathOf(url) {
  return new URL(url, location.origin).pathname;
}

// Only when a page cannot be reached does it answer: with one that is the same for everybody and leads back by itself.

const AWAY = "/offline";
const UNREACHED = [502, 504]; // what a proxy says of a room that is closed
/** @type {Promise<void> | null} */
let kept = null;

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(keep());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(registration.navigationPreload?.enable());
});

async function keep() {
  const cache = await caches.open("away");
  await cache.add(new Request(AWAY, { credentials: "omit", cache: "reload" }));
}

self.addEventListener("fetch", (event) => {
  const { mode, method } = event.request;
  if (mode === "navigate" && method === "GET") event.respondWith(go(/** @type {FetchEvent} */ (event)));
});

/** @type {(event: FetchEvent) => Promise<Response>} */
async function go(event) {
  const answer = await reach(event).catch(() => null);
  if (answer && !UNREACHED.includes(answer.status)) {
    kept ??= keep().catch(() => {}); // once in a while it is fetched anew, since the room changes
    return answer;
  }
  return (await caches.match(AWAY, { ignoreVary: true })) ?? answer ?? Response.error();
}

/** @type {(event: FetchEvent) => Promise<Response>} */
const reach = async (event) => (await event.preloadResponse) ?? fetch(event.request);
