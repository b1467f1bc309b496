// Shows the notices that the room pushes to this browser, and leads back to the table they are about.
// It keeps nothing and answers no requests: without the room there is no game.

self.addEventListener("push", (event) => {
  event.waitUntil(show(event.data?.json() ?? {}));
});

async function show({ title = "Snug", body = "", url = "/", tag }) {
  const pages = await openPages();
  if (pages.some((page) => page.visibilityState === "visible" && pathOf(page.url) === pathOf(url))) return;
  await registration.showNotification(title, { body, tag, renotify: Boolean(tag), data: { url } });
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(lead(pathOf(event.notification.data?.url ?? "/")));
});

async function lead(path) {
  const pages = await openPages();
  const page = pages.find((each) => pathOf(each.url) === path);
  await (page ? page.focus() : clients.openWindow(path));
}

const openPages = () => clients.matchAll({ type: "window", includeUncontrolled: true });

// Only ever a path of this room, whatever the message says.
function pathOf(url) {
  return new URL(url, location.origin).pathname;
}
