// The table, and the cards of one's own hand there.

export const live = () => document.getElementById("live");
export const HAND = "[data-arranged]";
export const handIn = (root) => root.querySelector(HAND);
export const idOf = (held) => held.querySelector("[id^=card-]").id;
export const codeOf = (id) => id.split("-")[1];
