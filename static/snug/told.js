// What a page is about: where only parts of it came, the poll tells of the whole.

import { live, poll } from "./page.js";

export function takeTold() {
  const table = live();
  if (!table) return;
  for (const name of ["title", "version", "myTurn"]) {
    const told = poll()?.dataset[name];
    if (told !== undefined && told !== table.dataset[name]) table.dataset[name] = told;
  }
}
