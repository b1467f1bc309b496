// What is needed neither to see nor to play comes when the page is there; what a panel's own script does is asked for when
// the panel is opened for the first time.

document.addEventListener("toggle", ({ target }) => target.dataset.script && import(target.dataset.script), true);
window.addEventListener("load", () => {
  for (const { dataset } of document.querySelectorAll("[data-later]")) import(dataset.later);
});
