// The speaker says whether there is sound.

import { playNow } from "./playing.js";
import { isOn, mayVibrate } from "./wishes.js";

function showSpeaker() {
  const speaker = document.getElementById("mute");
  if (speaker && speaker.getAttribute("aria-pressed") !== String(isOn())) speaker.setAttribute("aria-pressed", String(isOn()));
  const vibrate = document.getElementById("switch-vibrate");
  if (vibrate) vibrate.checked = mayVibrate();
}

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("#mute")) return;
  localStorage.setItem("on:sound", String(!isOn()));
  showSpeaker();
  if (isOn()) playNow("turn"); // so that one hears what one has chosen
});
document.addEventListener("htmx:after:swap", showSpeaker);

showSpeaker();
