// What HTML and htmx cannot say: the pace of polling, focus after a play, small conveniences, a module of `snug/` for each.
// Everything works without this file; it keeps no state of the game.

import "./snug/older_browsers.js";
import "./snug/newest.js";
import { pollSoon } from "./snug/poll.js";
import "./snug/cut_deck.js";
import { moveFocus } from "./snug/focus.js";
import "./snug/morph.js";
import { takeTold } from "./snug/told.js";
import { entitle } from "./snug/title.js";
import { tellTurns } from "./snug/turns.js";
import { setCountdowns } from "./snug/countdown.js";
import { fillZones } from "./snug/zone.js";
import "./snug/copy.js";
import "./snug/pressed.js";
import "./snug/writing.js";
import { listen, tellNews } from "./snug/ear.js";
import { showSign } from "./snug/signs.js";
import "./snug/replay.js";
import "./snug/hurry.js";
import "./snug/sheet.js";
import "./snug/back.js";
import "./snug/chairs.js";
import "./snug/later.js";

function dress() {
  takeTold();
  entitle();
  tellTurns();
  setCountdowns();
  fillZones();
}

document.addEventListener("htmx:after:swap", ({ detail }) => {
  dress();
  showSign();
  moveFocus();
  tellNews(detail?.ctx?.request.method === "POST");
  pollSoon();
});

dress();
listen();
