import assert from "node:assert/strict";
import { test } from "node:test";
import { run, show } from "./page.js";

const PAGE = '<main id="live"></main>';

/** What `old` takes to become `now`: whether it may be changed in place, once it is, and what is left to htmx. */
async function compared(old, now) {
  const page = show(PAGE);
  const { compare } = await run("snug/morph.js");
  const live = page.getElementById("live");
  live.innerHTML = old;
  const next = live.cloneNode(false);
  next.innerHTML = now;
  const [changes, pieces] = [[], []];
  const isHere = compare(live, live, next, changes, pieces);
  return { live, isHere, pieces, change: () => changes.forEach((change) => change()) };
}

test("who has an id becomes the same one only, who has none what has the same first id within", async () => {
  const page = show(PAGE);
  const { isAlike } = await run("snug/morph.js");
  const made = (html) => Object.assign(page.createElement("div"), { innerHTML: html }).firstChild;
  for (const [one, other, alike] of [
    ["<p>1</p>", "<p>2</p>", true],
    ["<p>1</p>", "<b>1</b>", false],
    ["words", "other words", true],
    ["words", "<b>words</b>", false],
    ['<p id="a"></p>', '<p id="a">1</p>', true],
    ['<p id="a"></p>', '<p id="b"></p>', false],
    ['<p id="a"></p>', "<p></p>", false],
    ['<li><b id="a"></b></li>', '<li><b id="b"></b></li>', false],
    ['<li><b id="a"></b></li>', '<li><b id="b"></b><i id="a"></i></li>', true],
    ['<li><i id="b"></i><b id="a"></b></li>', '<li><b id="a"></b></li>', true],
    ['<li><b id="a"></b></li>', "<li></li>", true],
  ]) {
    assert.equal(isAlike(made(one), made(other)), alike, `${one} ${other}`);
  }
});

test("a line that comes between others leaves them as they are", async () => {
  const { live, isHere, pieces, change } = await compared("<p>1</p><p>2</p><p id='c'>3</p>", "<p>1</p><p>2</p><p id='b'>2½</p><p id='c'>3</p>");
  const [first, second, third] = live.children;
  assert.ok(isHere);
  change();
  assert.deepEqual(pieces, []);
  assert.deepEqual([...live.children].map((one) => one.textContent), ["1", "2", "2½", "3"]);
  assert.deepEqual([live.children[0], live.children[1], live.children[3]], [first, second, third]);
});

test("lines that go in the middle take no other with them", async () => {
  const { live, change } = await compared('<p id="a"></p><p id="b"></p><p id="c"></p><p id="d"></p>', '<p id="a"></p><p id="c">3</p><p id="d">4</p>');
  const [first, , third, fourth] = live.children;
  change();
  assert.deepEqual([...live.children], [first, third, fourth]);
  assert.deepEqual([third.textContent, fourth.textContent], ["3", "4"]);
});

test("attributes come, go and change, but what is open stays open", async () => {
  const { live, change } = await compared('<details open class="a" title="t">1</details>', '<details class="b" lang="de">1</details>');
  change();
  assert.equal(live.innerHTML, '<details open="" class="b" lang="de">1</details>');
});

test("a field gets the value that was written for it, unless one is writing there", async () => {
  const { live, change } = await compared('<input id="a" value="1"><input id="b" value="1">', '<input id="a" value="2"><input id="b" value="2">');
  const [one, other] = live.children;
  one.value = other.value = "half";
  other.focus();
  change();
  assert.deepEqual([one.value, other.value], ["2", "half"]);
});

test("what htmx must know of is told to it, and nothing else", async () => {
  const { change } = await compared("", '<i id="poll" hx-get="/live"></i><form hx-boost="true"></form><p></p>');
  change();
  assert.deepEqual(htmx.process.mock.calls.map((call) => call.arguments[0].localName), ["i", "form"]);
});

test("what is htmx's is left to it, in the smallest piece", async () => {
  for (const [old, now, left] of [
    ['<div><p id="x" hx-post="/a"></p><b>1</b></div>', '<div><p id="x" hx-post="/b"></p><b>2</b></div>', ["P"]],
    ['<div><p id="x" hx-get="/a"></p></div>', '<div><p id="x" hx-get="/b"></p></div>', []],
    ["<div><textarea>1</textarea></div>", "<div><textarea>2</textarea></div>", ["TEXTAREA"]],
    ['<div><p id="x" hx-trigger="load"></p></div>', "<div></div>", ["DIV"]],
    ["<div hx-morph-skip>1</div>", "<div hx-morph-skip>2</div>", ["DIV"]],
  ]) {
    const { isHere, pieces } = await compared(old, now);
    assert.ok(isHere, old);
    assert.deepEqual(pieces.map(({ target }) => target.nodeName), left, old);
  }
});

test("cards that change places within a hand are htmx's, those that leave it take the page with them", async () => {
  const hand = (...ids) => `<ol id="hand">${ids.map((id) => `<li id="${id}"></li>`).join("")}</ol><p id="pile"></p>`;
  const within = await compared(hand("a", "b", "c"), hand("c", "b", "a"));
  assert.ok(within.isHere);
  assert.deepEqual(within.pieces.map(({ target }) => target.id), ["hand"]);
  const away = await compared(hand("a", "b"), hand("a").replace('id="pile">', 'id="pile"><b id="b"></b>'));
  assert.ok(!away.isHere);
});

test("other words are put in place of the old ones, the same words stay", async () => {
  const page = show('<main id="live"><p id="a" data-anew>1</p><p id="b" data-anew>2</p><p id="c">3</p></main>');
  const { renew } = await run("snug/morph.js");
  const [first, second, third] = page.querySelectorAll("p");
  const come = page.createElement("template");
  come.innerHTML = '<main id="live"><p id="a" data-anew>1</p><p id="b" data-anew>two</p><p id="c">4</p></main>';
  renew(page.getElementById("live"), come.content);
  const [one, two, three] = page.querySelectorAll("p");
  assert.deepEqual([one, three], [first, third]);
  assert.notEqual(two, second);
  assert.equal(two.textContent, "two");
});
