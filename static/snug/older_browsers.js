// What the browsers of docs/browsers.md do not all have.

Element.prototype.checkVisibility ??= function (asked) {
  const isDrawn = this.getClientRects().length > 0 && !this.closest("details:not([open]) > :not(summary)");
  return isDrawn && !(asked?.visibilityProperty && getComputedStyle(this).visibility === "hidden");
};
HTMLFormElement.prototype.requestSubmit ??= function (submitter) {
  const button = submitter ?? Object.assign(document.createElement("button"), { hidden: true });
  if (!submitter) this.append(button);
  button.click();
  if (!submitter) button.remove();
};
AbortSignal.timeout ??= (patience) => {
  const given = new AbortController();
  setTimeout(() => given.abort(), patience);
  return given.signal;
};
