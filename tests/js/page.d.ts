// What the scripts may take for granted: what they find on our own pages, and whatever they hear of, is an element of
// HTML; fields and details among them. What they spell wrongly none of these has.
export {};
declare global {
  interface EventTarget {
    readonly id: string;
    readonly dataset: Told;
    readonly elements: HTMLFormControlsCollection;
    closest(selector: string): HTMLElement | null;
    focus(options?: FocusOptions): void;
    matches(selector: string): boolean;
  }
  interface Node {
    contains(other: EventTarget | null): boolean;
  }
  interface ParentNode {
    querySelector(selector: string): HTMLElement | null;
    querySelectorAll(selector: string): NodeListOf<HTMLElement>;
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
    readonly offsetParent: Element | null;
    readonly offsetTop: number;
    readonly offsetWidth: number;
    readonly target: string;
    readonly type: string;
    click(): void;
    closest(selector: string): HTMLElement | null;
    focus(options?: FocusOptions): void;
    requestSubmit(): void;
    select(): void;
  }
  interface Event {
    readonly detail: any;
  }
  /** What a listener is told, of an element of our pages. */
  type Heard<E extends Event = Event> = E & { readonly target: EventTarget };
  interface Document {
    /** Those without which the script that asks for them would not be on the page. */
    getElementById(id: Sure): HTMLElement;
    addEventListener<K extends keyof DocumentEventMap>(type: K, listener: (event: Heard<DocumentEventMap[K]>) => unknown, options?: boolean | AddEventListenerOptions): void;
    addEventListener(type: string, listener: (event: Heard) => unknown, options?: boolean | AddEventListenerOptions): void;
  }
  interface Window {
    addEventListener<K extends keyof WindowEventMap>(type: K, listener: (event: Heard<WindowEventMap[K]>) => unknown, options?: boolean | AddEventListenerOptions): void;
    addEventListener(type: string, listener: (event: Heard) => unknown, options?: boolean | AddEventListenerOptions): void;
  }
  type Sure =
    | "arrange"
    | "coach"
    | "favicon"
    | "hand-script"
    | "happened"
    | "looks"
    | "notices"
    | "notices-script"
    | "offline"
    | "rules-script"
    | "said"
    | "unread"
    | "unsent";
  /** What templates have written there, they have written for all of these elements. */
  type Told = DOMStringMap & { [name: string]: string };
  interface HTMLElement {
    readonly dataset: Told;
  }
  /** A request as htmx tells of it. */
  interface Asked {
    request: { action: string; method: string; body: FormData; timeout: string | number; abort(): void };
    response?: { status: number };
  }
  type Box = Pick<DOMRect, "left" | "top" | "right" | "bottom">;
  /** A look at the table: where every card lies whose face is seen, and how many cards every place has. */
  interface Look {
    stage: string;
    version: string | null;
    places: Map<string, { box: DOMRect; count?: number; top: Node | null }>;
    cards: Map<string, Lying[]>;
    turn?: string;
    turned?: string;
  }
  interface Lying {
    place: string;
    element: Element;
    box: DOMRect;
    isSent: boolean;
  }
  /** A card, or the back of one, that went from a place to a place. */
  interface Move {
    from: string;
    to: string;
    start?: Lying;
    end?: Lying;
  }
  interface Group {
    kind: string;
    from: string;
    to: string;
    moves: Move[];
  }
  const htmx: any;
}
