// What somebody in a hurry presses next on the page of a table: an element, or null while there is nothing to do. What
// was given before is given again only after a second on the same page, if it is still there.
() => {
  const isDrawn = (one) => (one.labels?.[0] ?? one).checkVisibility() && !one.matches(":disabled, [aria-hidden=true]");
  const find = (selector) => [...document.querySelectorAll(selector)].find(isDrawn);
  const ticked = document.querySelector("#mine input:checked");
  const wanted = [
    "#suit-choice button, [id^=name-suit-]", // a suit is chosen
    "#pass-button, #go-down-1, .spot:not(.win, .won)", // nothing is bought, all is laid
    "#turn-button, #lay-all-button, .victim button.now",
    "#mine button.now",
    "#draw-button, #keep-button",
    ...(ticked
      ? [`.fit-${CSS.escape(ticked.value)} button`, ".naming .suit", "#discard-button"]
      : ["#mine .pick input"]),
    "#none-button, #decline-button, #pass",
  ];
  const live = document.getElementById("live");
  if (live?.dataset.myTurn !== "true" || document.documentElement.hasAttribute("data-moving")) return null;
  const next = wanted.map(find).find(Boolean);
  const name = next && `${live.dataset.version} ${next.id || next.className}`;
  if (!next || (name === window.pressed?.name && performance.now() < window.pressed.at + 1000)) return null;
  window.pressed = { name, at: performance.now() };
  return next;
}
