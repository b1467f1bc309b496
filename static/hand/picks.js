// Buttons that want so many ticked cards wait until they are ticked.

function count() {
  for (const button of document.querySelectorAll("[data-picks]")) {
    const ticked = [...button.form.elements].filter((field) => field.type === "checkbox" && field.checked);
    button.disabled = ticked.length !== Number(button.dataset.picks);
  }
}

document.addEventListener("change", count);
document.addEventListener("htmx:after:swap", count);

count();
