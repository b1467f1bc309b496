// What there is on a page to speak of.

export const live = () => document.getElementById("live");
export const poll = () => document.getElementById("poll");
/** @param {Event} event */
export const isPoll = (event) => ["poll", "turns"].includes(event.target?.id ?? "");
/** @param {Event} event */
export const isLook = (event) => ["hall", "from-keeper"].includes(event.target?.id ?? ""); // at what can wait
/** @param {Event} event */
export const isPassing = (event) => event.target?.id === "hurry"; // of this moment: it is not sent later
