// The rules over the table: a link to them opens a sheet in which they lie, at the place that it points to. If they
// cannot be fetched, or without this file, it is a link like any other.

const words = document.getElementById("rules-script").dataset;
const MARK = "rules-"; // the table has ids of its own

const sheet = document.createElement("dialog");
sheet.id = "rules-sheet";
sheet.className = "sheet";
sheet.innerHTML = '<form method="dialog"><button class="button round"><span aria-hidden="true">×</span></button></form><div class="prose" tabindex="0"></div>';
const [form, text] = sheet.children;
form.querySelector("button")?.setAttribute("aria-label", words.close);
sheet.setAttribute("aria-label", words.rules);
document.body.append(sheet);

let shown = ""; // the address of what lies in the sheet: the rules of a table stay as they are

/** @type {(address: string) => Promise<boolean>} */
async function read(address) {
  if (shown === address) return true;
  const answer = await fetch(address);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main.prose");
  if (!answer.ok || !page) return false;
  for (const way of page.querySelectorAll("#way-back, #way-back-below")) way.parentElement?.remove();
  for (const one of page.querySelectorAll("[id]")) one.id = MARK + one.id;
  for (const one of page.querySelectorAll("[aria-labelledby]")) one.setAttribute("aria-labelledby", MARK + one.getAttribute("aria-labelledby"));
  text.replaceChildren(...page.children);
  shown = address;
  return true;
}

/** @type {(name: string) => void} */
function point(name) {
  text.querySelector(".pointed")?.classList.remove("pointed");
  const place = document.getElementById(MARK + name);
  text.scrollTop = 0;
  place?.classList.add("pointed");
  place?.scrollIntoView({ block: "center" });
}

document.addEventListener("click", async (event) => {
  if (event.target === sheet) return sheet.close(); // beside the sheet
  const link = event.target.closest?.("a[href]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const { origin, pathname, search, hash } = new URL(link.href);
  if (origin !== location.origin || link.target || !/\/rules(\/\w+)?$/.test(pathname)) return;
  event.preventDefault();
  event.stopPropagation();
  if (await read(pathname + search).catch(() => false)) {
    if (!sheet.open) sheet.showModal();
    point(hash.slice(1));
  } else location.assign(link.href);
}, true);

// The link may be gone by now; whoever plays by keys is then at the table, not at the top of the page.
sheet.addEventListener("close", () => {
  if (document.activeElement === document.body) document.getElementById("live")?.focus({ preventScroll: true });
});
