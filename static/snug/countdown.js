// Countdowns count: from what the page said when it came, whatever the device's clock shows.

import { tell } from "./ear.js";
import { live } from "./page.js";

/** @type {{ element: HTMLElement, end: number, said: string }[]} */
let countdowns = []; // each: its element, when it ends, and what its page said

export function setCountdowns() {
  const table = live();
  if (!table) return;
  const page = table.dataset.version;
  countdowns = [...table.querySelectorAll("[data-countdown]")].map((element) => {
    const said = `${page}/${element.dataset.countdown}`;
    const known = countdowns.find((one) => one.element === element && one.said === said);
    return known ?? { element, said, end: Date.now() + 1000 * Number(element.dataset.countdown) };
  });
  count();
}

const days = new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit: "day", unitDisplay: "long" });

const minutes = new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit: "minute", unitDisplay: "long" });

/** @type {(seconds: number) => string} */
export const about = (seconds) => minutes.format(Math.max(1, Math.ceil(seconds / 60)));

/** @type {(seconds: number, hours: string) => string} */
export function face(seconds, hours) {
  if (seconds >= 172_800) return days.format(Math.floor(seconds / 86_400));
  if (seconds >= 7_200) return hours.replace("#", String(Math.floor(seconds / 3_600)));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function count() {
  for (const { element, end } of countdowns) {
    const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    const isAbout = element.dataset.face === "minutes";
    const text = isAbout ? about(seconds) : element.dataset.face ? face(seconds, element.dataset.hours) : String(seconds);
    if (element.textContent !== text) element.textContent = text;
    element.classList.toggle("late", seconds <= 10 && !isAbout);
  }
  warn();
}

// My own clock is said aloud at half a minute and at ten seconds, once each.

/** @type {string | null} */
let warned = null; // of which clock, at what

function warn() {
  const told = document.getElementById("told");
  const mine = countdowns.find(({ element }) => element.closest(".mine"));
  if (!told?.dataset.left || !mine) return;
  const seconds = Math.ceil((mine.end - Date.now()) / 1000);
  const at = [10, 30].find((one) => seconds <= one && seconds > one - 3);
  if (!at || warned === `${mine.said} ${at}`) return;
  warned = `${mine.said} ${at}`;
  tell(told.dataset.left.replace("{seconds}", String(at)));
}

setInterval(count, 250);
