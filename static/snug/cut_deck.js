// Who does not cut the deck has it cut by chance, anew each time, so that nobody knows it before.

let chances = "";

document.addEventListener(
  "submit",
  (event) => {
    const field = event.target.elements.namedItem?.("cut");
    if (!field || (field.value && field.value !== chances)) return;
    chances = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    field.value = chances;
  },
  true,
);
