// The room on a device: the page for when there is no network, and the device's own way to share a link.

navigator.serviceWorker?.register("/sw.js").catch(() => {}); // some browsers refuse: then there is no such page

// --- The page for when there is no network knocks now and then, and goes on to where one was going.

const PACE = 3_000; // ms
const away = document.getElementById("away");

async function knock() {
  const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  if (location.pathname === away?.dataset.page) location.replace("/");
  else location.reload();
}

if (away) {
  setInterval(knock, PACE);
  addEventListener("online", knock);
}

// --- Sharing: the device's own sheet, else the clipboard, else the link to be copied by hand.

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-share]");
  if (!button) return;
  const { share: title, url: path, copied } = button.dataset;
  const url = new URL(path, location.origin).href;
  if (navigator.share) return navigator.share({ title, url }).catch(() => {}); // whoever changes his mind has shared nothing
  try {
    await navigator.clipboard.writeText(url);
    button.lastElementChild?.replaceChildren(copied);
  } catch {
    prompt(title, url);
  }
});
