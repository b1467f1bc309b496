// What makes itself heard at a table: unread talk, notices; and what moves and sounds, once the page is there.

import { words } from "./notices/page.js";
import "./notices/talk.js";
import "./notices/turn.js";
import "./notices/switches.js";
import "./notices/wanted.js";
import "./notices/push.js";

// Without them a table is still and silent, and calls nobody to another.
for (const more of [words.motion, words.sound, words.calls]) if (more) import(more).catch(() => {});
