// A lesson: what is lit leads on. A tap on any other card is answered by the room with its rule, without this file too;
// whatever else is tapped has to wait, and what is lit shakes.

const live = () => /** @type {HTMLElement} */ (document.getElementById("live"));

// The first lit thing that there is anything to do about: a card that is ticked already has had its tap.
function lit() {
  const all = [...document.querySelectorAll("[data-lit]")];
  return all.map((one) => one.closest("label") ?? one).find((one) => one.checkVisibility() && !one.querySelector(":checked"));
}

/** @type {(element: Element) => void} */
function shake(element) {
  element.classList.remove("shaken");
  void element.offsetWidth; // so that it begins anew
  element.classList.add("shaken");
}

// What is lit comes into view, be it at the end of what scrolls.
function show() {
  lit()?.scrollIntoView({ block: "nearest" });
}

function point() {
  const wanted = lit();
  if (wanted) shake(wanted);
  show();
}

// What was said is said once more to who listens; of what may be tapped at other times, that it has to wait.
/** @type {(tapped: EventTarget) => void} */
function sayAgain(tapped) {
  const said = document.getElementById("said");
  if (!tapped.closest("button, label, summary")) return said.replaceChildren(...said.childNodes);
  document.getElementById("again")?.remove();
  const again = document.createElement("span");
  again.id = "again";
  again.textContent = said.dataset.notYet;
  said.prepend(again, " ");
}

document.addEventListener("click", (event) => {
  if (!event.target.closest(".lesson .felt")) return;
  if (event.target.closest("[data-lit], label:has(> [data-lit])")) return;
  const form = event.target.closest("button")?.form;
  const asksTheRoom = form?.method === "post" && form.checkValidity();
  if (!asksTheRoom) {
    event.preventDefault();
    event.stopPropagation();
    sayAgain(event.target);
  }
  point();
}, true);

// The address is that of the step, so that a page that is loaded again goes on here.
function settle() {
  history.replaceState(null, "", live().dataset.here);
  show();
  if (live().classList.contains("learned")) localStorage.setItem(`coached-${document.documentElement.dataset.game}`, "yes");
}

document.addEventListener("htmx:after:swap", () => {
  settle();
  if (document.getElementById("again")) point();
});
document.addEventListener("change", show); // of two that are lit, the second follows the first
settle();
