// What is wanted: this browser remembers it.

/** @type {(name: string) => string | null} */
const stored = (name) => localStorage.getItem(`on:${name}`);
export const isOn = () => stored("sound") === "true";
export const mayVibrate = () => (stored("vibrate") ?? stored("sound")) === "true";
