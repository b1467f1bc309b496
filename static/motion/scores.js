// The scores: totals are counted up, to the eye alone; whoever won is celebrated.

import { during, flying, put } from "./flights.js";
import { isStill, live, OVER } from "./places.js";
import { tell } from "./tell.js";

const COUNTED = 900; // ms
const SHOWER = 36; // pips
const GATHERED = 420; // ms in which a card that was left flies into the points

export function arrive() {
  const table = live();
  if (!table?.matches(OVER)) return;
  const laurels = table.querySelector(".laurels");
  tell("ended", { isWon: Boolean(laurels) });
  if (isStill()) return;
  for (const cell of table.querySelectorAll("[data-from]")) countUp(cell);
  if (laurels) shower([...laurels.querySelectorAll(".pip")]);
  const rising = table.querySelector(".page")?.getAnimations()[0];
  rising?.finished.then(() => gather(table), () => {}); // who does not wait for the sheet needs no more of it
}

/** @type {(table: Element) => void} */
function gather(table) {
  for (const left of table.querySelectorAll(".turned")) {
    const seat = left.closest("[data-place]")?.dataset.place.replace("player-", "");
    const points = table.querySelector(`:is(#standing-${seat}, #place-${seat}) .total`)?.getBoundingClientRect();
    if (!points?.width) continue;
    [...left.querySelectorAll(":scope > :is(.chip, .face)")].forEach((chip, at) => {
      const box = chip.getBoundingClientRect();
      const flown = put(chip, box);
      flown.style.fontSize = getComputedStyle(chip).fontSize;
      const way = `translate(${points.right - box.right}px, ${points.top - box.top}px) scale(0.6)`;
      /** @type {KeyframeAnimationOptions} */
      const pace = { delay: at * 40, duration: GATHERED, easing: "cubic-bezier(0.4, 0, 0.6, 1)", fill: "both" };
      flying.push(during(flown.animate([{ transform: "none", opacity: 1 }, { transform: way, opacity: 1, offset: 0.8 }, { transform: way, opacity: 0 }], pace), () => flown.remove()));
    });
  }
}

/** @type {(cell: HTMLElement) => void} */
function countUp(cell) {
  const said = cell.textContent;
  const [written] = /[-−]?\d+(\.\d+)?/.exec(said) ?? [];
  const [from, to] = [Number(cell.dataset.from), Number(written?.replace("−", "-"))];
  if (!written || from === to) return;
  const heard = Object.assign(document.createElement("span"), { className: "sr", textContent: said });
  const seen = document.createElement("span");
  seen.setAttribute("aria-hidden", "true");
  cell.replaceChildren(heard, seen);
  const start = performance.now();
  const tick = () => {
    if (!seen.isConnected) return;
    const part = Math.min(1, (performance.now() - start) / COUNTED);
    if (part === 1) return cell.replaceChildren(said);
    seen.textContent = said.replace(written, String(Math.round(from + (to - from) * (1 - (1 - part) ** 3))));
    requestAnimationFrame(tick);
  };
  tick();
}

/** @type {(pips: Element[]) => void} */
function shower(pips) {
  for (let at = 0; at < SHOWER; at += 1) {
    const size = 14 + ((at * 7) % 18);
    const pip = put(pips[at % pips.length], { left: (innerWidth * (at + 0.5)) / SHOWER, top: -2 * size, width: size });
    pip.classList.toggle("gold", at % 3 === 0);
    const drift = ((at * 53) % 160) - 80;
    const fall = [
      { transform: "none", opacity: 1 },
      { transform: `translate(${drift}px, ${0.7 * innerHeight}px) rotate(${3 * drift}deg)`, opacity: 1, offset: 0.7 },
      { transform: `translate(${1.4 * drift}px, ${innerHeight + 3 * size}px) rotate(${5 * drift}deg)`, opacity: 0 },
    ];
    /** @type {KeyframeAnimationOptions} */
    const pace = { delay: (at * 37) % 900, duration: 1_300 + ((at * 97) % 600), easing: "cubic-bezier(0.3, 0.1, 0.7, 1)", fill: "both" };
    flying.push(during(pip.animate(fall, pace), () => pip.remove()));
  }
}
