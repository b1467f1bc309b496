// Copying a link: the clipboard where the browser allows it, else the text is shown and selected for the person to copy.

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy));
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = button.dataset.copied;
  } catch {
    field.hidden = false;
    field.focus();
    field.select();
    button.textContent = button.dataset.selected;
  }
});
