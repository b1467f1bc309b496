// A lesson: what is lit leads on. A tap on any other card is answered by the room with its rule, without this file too;
// whatever else is tapped only shakes what is lit.

const live = () => document.getElementById("live");

// The first lit thing that there is anything to do about: a card that is ticked already has had its tap.
function lit() {
  const all = [...document.querySelectorAll("[data-lit]")];
  return all.map((one) => one.closest("label") ?? one).find((one) => one.checkVisibility() && !one.querySelector(":checked"));
}

function shake(element) {
  element.classList.remove("shaken");
  void element.offsetWidth; // so that it begins anew
  element.classList.add("shaken");
}

function point(wanted) {
  shake(wanted);
  wanted.scrollIntoView({ block: "nearest" });
}

document.addEventListener("click", (event) => {
  if (!event.target.closest(".lesson .felt")) return;
  if (event.target.closest("[data-lit], label:has(> [data-lit])")) return;
  if (event.target.closest("button")?.form?.method !== "post") {
    event.preventDefault();
    event.stopPropagation();
  }
  const wanted = lit();
  if (!wanted) return;
  point(wanted);
  const said = document.getElementById("said");
  said.textContent = said.textContent; // said once more to who listens
}, true);

// The address is that of the step, so that a page that is loaded again goes on here.
function settle() {
  history.replaceState(null, "", live().dataset.here);
  if (live().classList.contains("learned")) localStorage.setItem(`coached-${document.documentElement.dataset.game}`, "yes");
}

document.addEventListener("htmx:after:swap", () => {
  settle();
  const wanted = document.getElementById("again") && lit();
  if (wanted) point(wanted);
});
settle();
