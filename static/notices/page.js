// The table, and what is said of it in the reader's language.

export const live = () => document.getElementById("live");
/** @type {(id: string) => any} */
export const byId = (id) => document.getElementById(id);
export const path = location.pathname;
export const words = byId("notices-script").dataset;
