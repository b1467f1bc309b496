// What the scripts may take for granted: what they find on our own pages, and whatever they hear of, is an element of
// HTML; fields and details among them. What they spell wrongly none of these has.
export {};
declare global {
  interface EventTarget {
    readonly id: string;
    readonly dataset: DOMStringMap;
    readonly elements: HTMLFormControlsCollection;
    closest(selector: string): HTMLElement | null;
    focus(options?: FocusOptions): void;
    matches(selector: string): boolean;
  }
  interface Node {
    contains(other: EventTarget | null): boolean;
  }
  interface Element {
    hidden: any;
    open: boolean;
    checked: boolean;
    disabled: boolean;
    value: any;
    content: any;
    readonly defaultChecked: boolean;
    readonly form: HTMLFormElement;
    readonly href: string;
    readonly offsetTop: number;
    readonly target: string;
    readonly type: string;
    click(): void;
    focus(options?: FocusOptions): void;
    requestSubmit(): void;
    select(): void;
  }
  interface Event {
    readonly detail: any;
  }
  const htmx: any;
}
