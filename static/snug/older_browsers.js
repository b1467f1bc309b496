// Browsers from before 2024.
Element.prototype.checkVisibility ??= function () {
  return this.getClientRects().length > 0 && !this.closest("details:not([open]) > :not(summary)");
};
