// All tests of this folder in one process: what makes the pages is loaded once.

import { readdirSync } from "node:fs";

const tests = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".test.js"));
await Promise.all(tests.map((name) => import(`./${name}`)));
