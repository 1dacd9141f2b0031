/**
 * `paste-reader.ts FILE COUNT` holds a conversation at a terminal, and writes each text that it receives into the file
 * as a line of JSON. Between two texts it works for a while, as an agent does.
 */
import { appendFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { openKeyboard } from "../src/terminal/open-keyboard.ts";
import { createScreen } from "../src/terminal/screen.ts";

const [, , file = "", count = ""] = process.argv;
const screen = createScreen(process.stdout);
const keyboard = openKeyboard(process, process.stdout, screen, "> ");
for (let texts = 0; texts < Number(count); texts += 1) {
  const text = await keyboard.ask("> ", { conversation: true });
  if (text === undefined) break;
  appendFileSync(file, `${JSON.stringify(text)}\n`);
  if (texts % 3 === 0) await wait(2);
  screen.stream("working ");
}
keyboard.close();
