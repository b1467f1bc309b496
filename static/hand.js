// One's own cards, and what is done with them.

import "./hand/pending.js";
import "./hand/arranging.js";
import "./hand/refused.js";
import "./hand/picks.js";
import "./hand/drag.js";
