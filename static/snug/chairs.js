// A form offers no seat beyond those that the table is to have.

function offerSeats() {
  const count = Number(document.querySelector("input[name=seats]:checked")?.value ?? Infinity);
  for (const select of document.getElementsByTagName("select")) {
    if (!("seat" in select.dataset)) continue;
    for (const option of select.options) option.hidden = option.disabled = Number(option.value) > count;
    if (select.selectedOptions[0]?.disabled) select.selectedIndex = 0;
  }
}

document.addEventListener("change", ({ target }) => target instanceof HTMLInputElement && target.name === "seats" && offerSeats());
offerSeats();
