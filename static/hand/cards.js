// The table, and the cards of one's own hand there.

export const live = () => /** @type {HTMLElement} */ (document.getElementById("live"));
export const HAND = "[data-arranged]";
/** @type {(root: ParentNode) => HTMLElement | null} */
export const handIn = (root) => root.querySelector(HAND);
/** @type {(held: Element) => string} */
export const idOf = (held) => held.querySelector("[id^=card-]")?.id ?? "";
/** @type {(id: string) => string} */
export const codeOf = (id) => id.split("-")[1];
