// What is heard and felt at a table, for those who want it: short sounds, a buzz on one's turn; and a screen that stays
// awake while it is one's turn.

import "./sound/moves.js";
import "./sound/turn.js";
import "./sound/awake.js";
import "./sound/speaker.js";
