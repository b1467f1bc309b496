// Plays rounds in Firefox, with the mouse, by what the pages show. Reads from its input what to play, as JSON: the
// program `firefox`, the room's `url`, and `tables`, each with a `path` and the `token` of who plays there. Prints what
// the browser complained about, a line each.

import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import puppeteer from "puppeteer-core";

const { firefox, url, tables } = JSON.parse(await text(process.stdin));
const next = readFileSync(new URL("../next.js", import.meta.url), "utf8").replace(/^\/\/.*\n/gm, "");
const PAUSE = 30; // ms

// Whether the round is on; and where the mouse is to press, if anything is to be done: a card near its corner, since the
// rest may lie under the next one.
const look = `(() => {
  const isOn = document.querySelector("#live.at-playing") !== null;
  const next = (${next})();
  if (!next) return { isOn };
  const target = next.labels?.[0] ?? next;
  target.scrollIntoView({ block: "nearest", inline: "nearest" });
  const { x, y, width, height } = target.getBoundingClientRect();
  return { isOn, at: target.matches(".lay") ? [x + 8, y + 18] : [x + width / 2, y + height / 2] };
})()`;

async function playRound(page) {
  for (let now = await page.evaluate(look); now.isOn; now = await page.evaluate(look)) {
    if (now.at) await page.mouse.click(...now.at);
    else await new Promise((wake) => setTimeout(wake, PAUSE));
  }
}

const browser = await puppeteer.launch({ browser: "firefox", executablePath: firefox, headless: true });
try {
  for (const { path, token } of tables) {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    page.on("console", (message) => message.type() === "error" && console.log(message.text()));
    page.on("pageerror", (error) => console.log(error.message));
    await context.setCookie({ name: "snug", value: token, domain: new URL(url).hostname, path: "/" });
    await page.goto(url + path);
    await playRound(page);
    await Promise.all([page.waitForNavigation(), page.evaluate(() => location.assign("/"))]); // while a poll is held
    await context.close();
  }
} finally {
  await browser.close();
}
