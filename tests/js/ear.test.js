import assert from "node:assert/strict";
import { test } from "node:test";
import { pass, run, show } from "./page.js";

const line = (id, words, whose = "") => `<li id="log-1-${id}-1" ${whose}>${words}</li>`;
const theirs = (id, words) => line(id, words, "data-theirs");
const mine = (id, words) => line(id, words, "data-mine");

/** A table on which it is somebody's turn; `log` is newest first. */
const table = ({ turn = "Bob to play.", isMine = false, log = "", hint = "", hand = "", others = "", more = "", at = "at-playing" }) => `
  <main id="live" class="${at}" data-my-turn="${isMine}"><strong id="whose-turn">${turn}</strong>${more}
  <ul id="hand" aria-label="Your hand">${hand}</ul><p id="hint">${hint}</p><ul id="others">${others}</ul><ol id="log">${log}</ol></main>`;
const card = (code, use = "") => `<li><button class="lay ${use}"><span class="face" id="card-${code}"></span><span class="sr">${code}</span></button></li>`;

async function opened(first, aloud = "all") {
  const page = show(`<p id="told" data-more="More in the log." data-may="You may: {acts}." data-leads="A: {acts}."></p><span id="news" hidden></span><div id="all">${table(first)}</div>`);
  page.documentElement.dataset.aloud = aloud;
  const { listen, tell, tellNews } = await run("snug/ear.js");
  listen();
  const heard = () => [...page.querySelectorAll("#told span")].splice(0).map((one) => (one.remove(), one.textContent));
  await pass(500);
  const began = heard();
  const come = (next, isAnswer = false) => {
    page.getElementById("all").innerHTML = table(next);
    tellNews(isAnswer);
    return heard();
  };
  return { page, tell, come, heard, began };
}

test("when the page is opened it is told what came since one's last turn, what one holds, and what one may do", async () => {
  const hand = card("2S") + card("3S") + card("4S");
  const log = theirs(3, "Ann drew.") + mine(2, "You drew.") + theirs(1, "Bob drew.");
  assert.deepEqual((await opened({ hand, log })).began, ["Ann drew. Your hand: 2S, 3S, 4S. Bob to play."]);
  assert.deepEqual((await opened({ log: theirs(1, "Ann deals.") })).began, ["Ann deals. Bob to play."]);
  assert.deepEqual((await opened({ turn: "Your turn.", isMine: true, hint: "Draw." })).began, ["Your turn. Draw."]);
});

test("moves of others are gathered into one sentence, and a line that became more is told as it is in the end", async () => {
  const { come, heard } = await opened({ log: theirs(1, "Ann drew.") });
  assert.deepEqual(come({ log: theirs(2, "Bob drew.") + theirs(1, "Ann drew.") }), []);
  await pass(2_000);
  assert.deepEqual(come({ log: theirs(3, "Cem drew.") + theirs(2, "Bob drew and discarded.") + theirs(1, "Ann drew.") }), []);
  await pass(3_000);
  assert.deepEqual(heard(), ["Bob drew and discarded. Cem drew."]);
  await pass(7_000);
  assert.deepEqual(heard(), ["Bob to play."], "nothing has come for a while");
  await pass(60_000);
  assert.deepEqual(heard(), []);
});

test("one's own turn is said at once with all that led there, and then what one's moves bring", async () => {
  const { come } = await opened({});
  come({ log: theirs(1, "Bob drew.") });
  const [chip, log] = ['Take <i aria-hidden="true">7</i><span class="sr">seven</span>.', theirs(2, "Bob goes.") + theirs(1, "Bob drew.")];
  assert.deepEqual(come({ log, turn: "Your turn.", isMine: true, hint: chip }), ["Bob drew. Bob goes. Your turn. Take seven."]);
  assert.deepEqual(come({ log, turn: "Your turn.", isMine: true, hint: chip }), []);
  const drawn = mine(3, "You drew.") + log;
  assert.deepEqual(come({ log: drawn, turn: "Your turn.", isMine: true, hint: "Discard." }), ["You drew. Discard."]);
});

test("one's own acts are told at once, in short where that is there", async () => {
  const { page, come } = await opened({ isMine: true, log: mine(1, "You drew 3S.") });
  const done = line(1, "You drew 3S and discarded 4S.", 'data-mine data-brief="Discarded 4S."');
  assert.deepEqual(come({ log: done, isMine: true }), ["Discarded 4S."]);
  const named = line(3, "You discarded 5S.", 'data-mine data-brief="Discarded 5S." data-done="Discarded."');
  page.dispatchEvent(new window.Event("submit"));
  assert.deepEqual(come({ log: named + done, isMine: true }), ["Discarded."], "one has just pressed what names it");
  const later = named.replace("log-1-3", "log-1-4") + named + done;
  assert.deepEqual(come({ log: later, isMine: true }), ["Discarded 5S."], "the clock may have done it");
  assert.deepEqual(come({ log: mine(5, "You laid nothing.") + later }), ["You laid nothing."]);
});

test("a drawn card is named once: where the focus has told it, that is enough", async () => {
  const drew = mine(1, 'You drew <span class="chip" aria-hidden="true">3</span><span class="sr">3S</span>.');
  for (const [focused, said] of [["card-3S", []], ["card-2S", ["You drew 3S."]]]) {
    const { page, come } = await opened({ isMine: true, hand: card("2S") });
    const hand = card("2S") + card("3S").replace("<li>", '<li class="fresh">');
    come({ isMine: true, hand });
    page.getElementById("all").innerHTML = table({ isMine: true, hand, log: drew });
    page.getElementById(focused).closest("button").focus();
    page.getElementById("log").innerHTML = drew;
    (await run("snug/ear.js")).tellNews(true);
    assert.deepEqual([...page.querySelectorAll("#told span")].map((one) => one.textContent), said, focused);
  }
});

test("a hint without a card is said where one's turn begins, and else once a deal; one with a card each time", async () => {
  const { come } = await opened({ hand: card("2S") + card("3S") + card("4S") });
  const held = { hand: card("2S") + card("3S") + card("4S") };
  const yours = { turn: "Your turn.", isMine: true, hint: "Draw.", ...held };
  assert.deepEqual(come(yours), ["Your turn. Draw."]);
  assert.deepEqual([come({ ...yours, hint: "Discard." }), come(yours)], [["Discard."], []]);
  come(held);
  assert.deepEqual([come(yours), come({ ...yours, hint: "Discard." })], [["Your turn. Draw."], []]);
  come(held);
  const dealt = { hand: card("5S") + card("6S") + card("7S", "now") };
  assert.deepEqual(come({ ...yours, ...dealt }), ["Your hand: 5S, 6S, 7S. Your turn. Draw. You may: 7S."]);
});

test("a hint that says what the turn's name says is not told", async () => {
  const { page, come } = await opened({});
  page.getElementById("all").innerHTML = table({ turn: "You may steal.", isMine: true, hint: "Choose a card." }).replace('id="hint"', 'id="hint" data-unsaid');
  (await run("snug/ear.js")).tellNews(false);
  assert.equal(page.getElementById("told").textContent, "You may steal.");
  assert.deepEqual(come({ turn: "Your turn.", isMine: true, hint: "Lay." }), ["You may steal.", "Your turn. Lay."]);
});

test("a hint that only names the act is not told where the focus has named it", async () => {
  for (const [focused, said] of [["draw", "Your turn."], ["live", "Your turn. Draw."]]) {
    const { page } = await opened({});
    const mine = table({ turn: "Your turn.", isMine: true, hint: "Draw.", more: '<p id="actions"><button id="draw" class="main"></button></p>' });
    page.getElementById("all").innerHTML = mine.replace('id="hint"', 'id="hint" data-unsaid="named"');
    page.getElementById(focused).focus();
    (await run("snug/ear.js")).tellNews(false);
    assert.equal(page.getElementById("told").textContent, said, focused);
  }
});

test("what may be played at once is offered once a turn", async () => {
  const { come } = await opened({});
  const [both, one] = [card("2S", "now") + card("3S", "now") + card("4S"), card("3S", "now") + card("4S")];
  const yours = { turn: "Your turn.", isMine: true };
  assert.deepEqual(come({ ...yours, hand: both }), ["Your hand: 2S, 3S, 4S. Your turn. You may: 2S, 3S."]);
  assert.deepEqual(come({ ...yours, hand: one }), []);
  assert.deepEqual(come({ ...yours, hand: one.replace("lay \"", "lay now\"") + card("5S") }), ["You may: 3S, 4S."]);
});

const discard = (number, name) => line(number, `${name} discarded ${number}S.`, `data-theirs data-under="Discards:" data-short="${name} ${number}S" data-covers`);

test("what is of one kind is a list where more follow one another", async () => {
  const { come } = await opened({});
  const log = discard(4, "Cem") + theirs(3, "Cem went down.") + discard(2, "Bob") + discard(1, "Ann");
  assert.deepEqual(come({ log, turn: "Your turn.", isMine: true }), ["Discards: Ann 1S, Bob 2S. Cem went down. Cem discarded 4S. Your turn."]);
});

const long = (words, times) => `${words} ${"one more ".repeat(times).trim()}.`;

test("where more has come than can be listened to, what matters least is left to the log, and that is said", async () => {
  const minor = (number) => line(number, long(`Bob looks at ${number}`, 30), "data-theirs data-minor");
  const { come } = await opened({});
  const log = minor(5) + line(4, "You are robbed.") + theirs(3, "Bob laid off.") + minor(2) + discard(1, "Ann");
  const [said] = come({ log, turn: "Your turn.", isMine: true });
  assert.match(said, /^More in the log\. Ann discarded 1S\. Bob laid off\. You are robbed\. Bob looks at 5 .* Your turn\.$/);
});

test("discards that are covered may be left out, what was done to the table not before all else", async () => {
  for (const [times, said] of [[40, /^More in the log\. Bob laid .* Cem discarded 3S\. Your/], [90, /^More in the log\. Cem discarded 3S\. Your/]]) {
    const { come } = await opened({});
    const log = discard(3, "Cem") + theirs(2, long("Bob laid off", times)) + discard(1, "Ann");
    assert.match(come({ log, turn: "Your turn.", isMine: true, hint: long("Draw", 3) })[0], said, `${times}`);
  }
});

test("who has acted can listen to as much again; others' moves alone cannot come without end", async () => {
  const { come, heard } = await opened({});
  const minor = (number) => line(number, long(`Bob looks at ${number}`, 40), "data-theirs data-minor");
  const yours = { turn: "Your turn.", isMine: true };
  const first = minor(1);
  assert.match(come({ ...yours, log: first })[0], /^Bob looks at 1/);
  const own = mine(2, "You drew.") + first;
  come({ ...yours, log: own });
  come({ log: mine(3, "You laid.") + own });
  assert.match(come({ ...yours, log: minor(4) + mine(3, "You laid.") + own })[0], /^Bob looks at 4/);
  come({ log: mine(5, "You go.") });
  come({ log: minor(6) + mine(5, "You go.") });
  await pass(5_000);
  assert.match(heard()[0], /^Bob looks at 6/);
  come({ log: minor(7) + minor(6) + mine(5, "You go.") });
  await pass(5_000);
  assert.deepEqual(heard(), ["More in the log."]);
});

test("how many cards others hold is told when they come down to few", async () => {
  const rival = (name, size) => `<li class="rival" id="player-${name}"><strong class="name"><button>${name}</button></strong><span class="backs" data-cards="${size}"></span><span class="left"><b>${size}</b> cards</span></li>`;
  const { come } = await opened({ others: rival("Ann", 4) + rival("Bob", 3) });
  const yours = { turn: "Your turn.", isMine: true };
  assert.deepEqual(come({ ...yours, others: rival("Ann", 3) + rival("Bob", 3) }), ["Ann: 3 cards. Your turn."]);
  assert.deepEqual(come({ ...yours, others: rival("Ann", 9) + rival("Bob", 12) }), []);
  assert.deepEqual(come({ ...yours, others: rival("Ann", 6) + rival("Bob", 8) }), ["Bob: 8 cards."], "who laid many");
  assert.deepEqual(come({ ...yours, others: rival("Ann", 4) + rival("Bob", 3) }), ["Bob: 3 cards."]);
  assert.deepEqual(come({ ...yours, others: rival("Ann", 3) + rival("Bob", 3) }), ["Ann: 3 cards."]);
  assert.deepEqual(come({ ...yours, others: rival("Ann", 3) + rival("Bob", 2) }), ["Bob: 2 cards."]);
  assert.deepEqual(come({ ...yours, others: rival("Ann", 7) + rival("Bob", 0) }), []);
});

test("Looks choose how much: what concerns me, or only my turn", async () => {
  for (const [aloud, first, then] of [["mine", "You are robbed. Your turn.", "You drew."], ["turn", "Your turn.", "You drew."]]) {
    const { come, heard } = await opened({}, aloud);
    const log = line(2, "You are robbed.") + theirs(1, "Bob drew.");
    assert.deepEqual(come({ log, turn: "Your turn.", isMine: true }), [first]);
    assert.deepEqual(come({ log: mine(3, "You drew.") + log, turn: "Your turn.", isMine: true }), [then]);
    come({ log: theirs(4, "Bob drew.") + mine(3, "You drew.") + log });
    await pass(60_000);
    assert.deepEqual(heard(), [], aloud);
  }
});

test("what stands there to be told is told when it comes; a refusal each time it is an answer", async () => {
  const { come } = await opened({ more: "<p data-tell>Old.</p>" });
  const refused = { more: '<p data-tell>Old.</p><p id="refusal" data-tell>No. <a>The rule</a></p>' };
  assert.deepEqual(come(refused, true), ["No."]);
  assert.deepEqual(come(refused), []);
  assert.deepEqual(come(refused, true), ["No."]);
  assert.deepEqual(come({ more: '<p data-tell="7">Ann says: hi</p>' }), ["Ann says: hi"]);
  assert.deepEqual(come({ more: '<p data-tell="8">Ann says: hi</p>' }), ["Ann says: hi"]);
});

test("at the end all of it is told, and then who leads and what one may do; what counts down is told once", async () => {
  const { come } = await opened({});
  const log = theirs(2, "Bob goes out. ".repeat(20).trim()) + theirs(1, "Bob drew.");
  const more = '<b data-tell>Bob leads.</b><p data-tell="next-1">Next in 30 s.</p><form data-mine><button class="main">Ready</button></form>';
  const said = come({ log, at: "at-scores", more });
  assert.deepEqual([said.length, said[0].startsWith("Bob drew. Bob goes out."), said[1]], [2, true, "Bob leads. Next in 30 s. A: Ready."]);
  assert.deepEqual(come({ log, at: "at-scores", more: more.replace("30", "29") }), []);
});

test("what gets the focus at one's turn says first what led there and whose turn it is, and neither is said again", async () => {
  const { page, come } = await opened({});
  page.body.insertAdjacentHTML("beforeend", '<button id="draw" aria-labelledby="whose-turn draw">Draw</button>');
  const draw = page.getElementById("draw");
  const name = () => draw.getAttribute("aria-labelledby").split(" ").map((id) => page.getElementById(id).textContent).join(" ");
  draw.focus();
  const yours = { turn: "Your turn.", isMine: true, hint: "Draw." };
  assert.deepEqual([come({ ...yours, log: theirs(1, "Bob drew.") }), name()], [["Draw."], "Bob drew. Your turn. Draw"]);
  assert.deepEqual([come({ ...yours, log: theirs(2, "Cem paused.") + theirs(1, "Bob drew.") }), name()], [["Cem paused."], "Bob drew. Your turn. Draw"], "what has the focus already keeps its name");
});

test("acts that differ in one place are one", async () => {
  const { come } = await opened({ hand: card("2S") });
  const spots = (...names) => names.map((name) => `<button class="spot">${name}</button>`).join("");
  const [six, queen] = [(suit) => `Add six of ${suit} to Bob’s set of sixes`, "Add queen of clubs to Ann’s set of queens"];
  const more = spots(six("clubs"), six("spades"), queen);
  const hand = card("2S").repeat(5);
  assert.deepEqual(come({ isMine: true, turn: "Your turn.", hand, more }), [`Your turn. You may: ${six("clubs or spades")}, ${queen}.`]);
});

test("at the end the key that leads on is told where there are keys", async () => {
  const { page, come } = await opened({});
  page.documentElement.dataset.keys = "off";
  const more = '<b data-tell>Bob leads.</b><form data-mine><button class="main">Ready</button></form>';
  assert.deepEqual(come({ at: "at-scores", more }), ["Bob leads. You may: Ready."]);
});

test("moves that go on and on are told in between", async () => {
  const { come } = await opened({});
  let log = "";
  const said = [];
  for (let number = 1; number <= 5; number += 1) {
    log = theirs(number, `Bob ${number}.`) + log;
    said.push(...come({ log }));
    await pass(2_500);
  }
  assert.deepEqual(said, ["Bob 1. Bob 2. Bob 3. Bob 4."]);
});

test("what is still to do is said after each act of one's own", async () => {
  const { come } = await opened({ turn: "Your turn.", isMine: true, hint: "Discard." });
  const done = (number) => line(number, "You added 3S to a meld.", 'data-mine data-brief="Added 3S."');
  assert.deepEqual(come({ turn: "Your turn.", isMine: true, hint: "Discard.", log: done(1) }), ["Added 3S. Discard."]);
  assert.deepEqual(come({ turn: "Your turn.", isMine: true, hint: "Discard.", log: done(2) + done(1) }), ["Added 3S. Discard."]);
});

test("what news before anybody listens bring, one's own turn keeps", async () => {
  const page = show(`<p id="told" data-may="You may: {acts}."></p><div id="all">${table({ turn: "Your turn.", isMine: true, hint: "Choose." })}</div>`);
  const { listen, tellNews } = await run("snug/ear.js");
  listen();
  page.getElementById("all").innerHTML = table({ turn: "Your turn.", isMine: true, hint: "Choose.", log: theirs(1, "Bob has chosen.") });
  tellNews(false);
  assert.equal(page.getElementById("told").textContent, "");
  await pass(500);
  assert.equal(page.getElementById("told").textContent, "Bob has chosen. Your turn. Choose.");
});

test("a tip is told once in a session, when it is one's turn; of keys only where they are on", async () => {
  const tip = (name) => `<p data-tip="${name}" hidden>Of ${name}.</p>`;
  const { page, come } = await opened({ more: tip("keys") + tip("safe") });
  const yours = { turn: "Your turn.", isMine: true, more: tip("keys") + tip("safe") };
  page.documentElement.dataset.keys = "off";
  assert.deepEqual(come(yours), ["Your turn. Of safe."]);
  come({});
  delete page.documentElement.dataset.keys;
  assert.deepEqual(come(yours), ["Your turn. Of keys."]);
  const there = tip("there").replace("hidden", 'data-where="#hand .now" hidden');
  assert.deepEqual([come({ ...yours, more: there }), come({ ...yours, more: there, hand: card("2S", "now") + card("3S", "now") }).at(-1)?.endsWith("Of there.")], [[], true]);
  come({});
  assert.deepEqual(come(yours), ["Your turn."]);
});

test("every sentence is a line more, others too can tell, and only the last ones are kept", async () => {
  const { page, tell } = await opened({});
  for (const words of ["One.", "One.", "", "Two.", "Three."]) tell(words);
  page.dispatchEvent(new CustomEvent("snug:tell", { detail: "Four." }));
  assert.deepEqual([...page.querySelectorAll("#told span")].map((one) => one.textContent), ["One.", "Two.", "Three.", "Four."]);
});
