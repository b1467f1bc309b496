// The switches, which are this browser's own. Notices need more than to be wanted.

export const able = () => "serviceWorker" in navigator && "Notification" in window;
/** @type {(name: string) => boolean} */
export const isOn = (name) => localStorage.getItem(`on:${name}`) === "true";
/** @type {(name: string, on: boolean) => void} */
export const keep = (name, on) => localStorage.setItem(`on:${name}`, String(on));

export const mayNotify = () => able() && Notification.permission === "granted";

export function setSwitches() {
  for (const box of document.querySelectorAll("[data-switch]")) {
    box.checked = isOn(box.dataset.switch) && (box.dataset.switch !== "notify" || mayNotify());
  }
}
document.addEventListener("htmx:after:swap", setSwitches);

setSwitches();
