/**
 * `npx pnpm prose [--list] [PATH …]` measures the prose of each package, its comments and its pages: how often per 1,000
 * words a sentence says "what", "whoever" or "is told" instead of naming its subject. `--list` prints each place.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { measureProse } from "./checks/check-prose.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { list: { type: "boolean" } } });
for (const { name, words, places, rate } of await measureProse(positionals)) {
  if (values.list === true) for (const place of new Set(places)) process.stdout.write(`${place}\n`);
  process.stdout.write(`${name}: ${rate.toFixed(2)} per 1,000 of ${words} words\n`);
}
