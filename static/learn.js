// A lesson: only what is lit can be tapped. Without this file the room itself says that it is not that one yet.

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

document.addEventListener("click", (event) => {
  if (!event.target.closest(".lesson .felt")) return;
  if (event.target.closest("[data-lit], label:has(> [data-lit])")) return;
  event.preventDefault();
  event.stopPropagation();
  const wanted = lit();
  if (!wanted) return;
  shake(wanted);
  wanted.scrollIntoView({ block: "nearest" });
  const said = document.getElementById("said");
  said.textContent = said.textContent; // said once more to who listens
}, true);

// The address is that of the step, so that a page that is loaded again goes on here.
function settle() {
  history.replaceState(null, "", live().dataset.here);
  if (live().classList.contains("learned")) localStorage.setItem(`coached-${document.documentElement.dataset.game}`, "yes");
}

document.addEventListener("htmx:after:swap", settle);
settle();
