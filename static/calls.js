// Calls people to the table that is ready, wherever they are in the room: on the finished table of the stage before, in the
// lobby, in their own room. Without it these pages say so when they are opened.

const PAUSE = 400; // ms between two questions, each of which the room holds until somebody is called
const LONGEST_WAIT = 15_000; // ms between tries when the room cannot be reached
const PATIENCE = 40_000; // ms for an answer

const asides = () => [...document.querySelectorAll("[data-call]")];
/** @type {(ms: number) => Promise<void>} */
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// --- Who is called is told once: when a table is named that was not when the page came.

const calling = () => [...document.querySelectorAll("[data-called]")];
let told = new Set(calling().map(({ dataset }) => dataset.called));

function look() {
  const now = calling();
  for (const { dataset } of now) {
    if (!told.has(dataset.called)) document.dispatchEvent(new CustomEvent("snug:called", { detail: { ...dataset } }));
  }
  told = new Set(now.map(({ dataset }) => dataset.called));
  settle();
}

function settle() {
  hideRead();
  entitle();
}

// --- The browser's tab says it, too, after the number of tables that wait; the title of a page that renews itself is its
// own again afterwards.

const COUNTED = /^(?:\(\d+\) )?/;
const uncounted = () => document.title.replace(COUNTED, "");
const own = uncounted();

function entitle() {
  const title = calling().find(({ dataset }) => dataset.title)?.dataset.title;
  const wanted = title ?? document.getElementById("live")?.dataset.title ?? own;
  if (uncounted() !== wanted) document.title = `${COUNTED.exec(document.title)}${wanted}`;
}
document.addEventListener("htmx:after:swap", look);

// --- What was announced goes when it was read; this browser remembers it.

/** @type {(news: HTMLElement) => string} */
const readKey = (news) => `read:${news.dataset.news.split("/")[0]}`;

function hideRead() {
  for (const aside of asides()) {
    const news = aside.querySelector("[data-news]");
    const isRead = news && localStorage.getItem(readKey(news)) === news.dataset.news;
    if (isRead && aside.querySelector("[data-read]")) aside.hidden = true;
  }
}

document.addEventListener("click", (event) => {
  const news = event.target.closest?.("[data-read]")?.closest("[data-call]")?.querySelector("[data-news]");
  if (!news) return;
  localStorage.setItem(readKey(news), news.dataset.news);
  hideRead();
});

// --- Listening. The element stays, so that what changes in it is read aloud.

/** @type {(aside: HTMLElement, text: string) => void} */
function put(aside, text) {
  const now = new DOMParser().parseFromString(text, "text/html").querySelector("[data-call]");
  if (!now) return;
  for (const name of aside.getAttributeNames()) if (!now.hasAttribute(name)) aside.removeAttribute(name);
  for (const { name, value } of now.attributes) aside.setAttribute(name, value);
  aside.querySelector("[role=status]")?.replaceChildren(...(now.querySelector("[role=status]")?.childNodes ?? []));
  while (aside.children.length > 1) aside.lastElementChild?.remove();
  aside.append(...[...now.children].slice(1));
  look();
}

/** @type {(aside: HTMLElement) => Promise<void>} */
async function listen(aside) {
  let failures = 0;
  for (;;) {
    try {
      const answer = await fetch(aside.dataset.call, { signal: AbortSignal.timeout(PATIENCE) });
      if (answer.status === 200) put(aside, await answer.text());
      failures = answer.ok ? 0 : failures + 1;
    } catch {
      failures += 1;
    }
    await sleep(failures ? Math.min(LONGEST_WAIT, 500 * 2 ** failures) * (0.5 + Math.random() / 2) : PAUSE);
  }
}

settle();
for (const aside of asides()) listen(aside);
