// What is told on the document to who looks at these pages: `snug:moved` of all that moved at once, a list of
// {kind, from, to, cards}, `snug:flight` of each of them that is shown in the air, and `snug:ended` of a round.

/** @type {(group: Group) => { kind: string, from: string, to: string, cards: number }} */
export const summary = ({ kind, from, to, moves }) => ({ kind, from, to, cards: moves.length });
/** @type {(name: string, detail: object) => void} */
export const tell = (name, detail) => document.dispatchEvent(new CustomEvent(`snug:${name}`, { detail }));
