import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, type TestContext } from "vitest";
import { ENTER, hasTerminals, runProgramInTerminal, type TerminalRun } from "./in-terminal.ts";

const PASTE_ON = "\u001B[?2004h";
const reader = path.join(import.meta.dirname, "paste-reader.ts");

let home: string;
let received: string;
let run: TerminalRun | undefined;
beforeEach(async ({ skip }: TestContext) => {
  if (!hasTerminals) skip("the script of util-linux is not here");
  home = await mkdtemp(path.join(tmpdir(), "agent-paste-"));
  received = path.join(home, "received.jsonl");
});
afterEach(async () => {
  await run?.kill();
  if (home !== undefined) await rm(home, { recursive: true, force: true });
});

async function open(count: number): Promise<TerminalRun> {
  run = runProgramInTerminal([reader, received, String(count)]);
  await expect.poll(() => run?.raw).toContain(PASTE_ON);
  return run;
}
const texts = async (): Promise<readonly string[]> =>
  (await readFile(received, "utf8"))
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as string);
/** As a terminal sends it: ends of lines are CR. */
const pasted = (text: string): string => `\u001B[200~${text.replaceAll("\n", "\r")}\u001B[201~`;

/** Any text except characters that a terminal itself removes from a paste, and Ctrl-C. A blank text is not sent. */
const anyText = fc
  .oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.array(fc.string({ unit: "grapheme", maxLength: 40 }), { maxLength: 40 }).map((lines) => lines.join("\n")),
    fc.string({ unit: "grapheme-ascii", minLength: 4_000, maxLength: 9_000 }),
  )
  .map((text) => text.replaceAll(/[\u001B\u0003]/g, "").replaceAll(/\r\n?/g, "\n"))
  .filter((text) => text.isWellFormed() && text.trim() !== "");

describe("a paste at a terminal", () => {
  test("loses nothing, of 1,000 random texts that come while the program works", async () => {
    const samples = fc.sample(anyText, { numRuns: 1_000, seed: Number(process.env["SEED"] ?? 22) });
    const terminal = await open(samples.length);
    for (const text of samples) terminal.type(pasted(text) + ENTER);
    expect(await terminal.ended).toBe(0);
    const got = await texts();
    const lost = samples.reduce((sum, text, index) => {
      return (
        sum + (got[index] === text ? 0 : Math.max(1, Buffer.byteLength(text) - Buffer.byteLength(got[index] ?? "")))
      );
    }, 0);
    console.log(`METRIC terminal.paste_lost_bytes ${lost} bytes`);
    expect(got).toEqual(samples);
    expect(lost).toBe(0);
  });

  test("waits for Enter, and can be edited and have further lines", async () => {
    const terminal = await open(1);
    terminal.type(pasted("one\ntwo\n"));
    await terminal.seen(/> one\n {2}two\n/);
    terminal.type(`tree\u001B[D\u001B[D\u001B[Dh\u001B\rx${ENTER}`);
    expect(await terminal.ended).toBe(0);
    expect(await texts()).toEqual(["one\ntwo\nth\nxree"]);
  });

  test("is whole where the terminal marks none, too", async () => {
    const terminal = await open(1);
    const lines = Array.from({ length: 400 }, (_, index) => `line ${index} é字`);
    terminal.type(`${lines.join("\r")}\r`);
    await terminal.seen(/line 399 é字/);
    terminal.type(ENTER);
    expect(await terminal.ended).toBe(0);
    expect((await texts())[0]).toBe(`${lines.join("\n")}\n`);
  });

  test("writes no control character of it to the terminal", async () => {
    const terminal = await open(1);
    terminal.type(pasted("a\u001B[2J\u0007b\u009Bc"));
    await terminal.seen(/> a�\[2J�b�c/);
    terminal.type(ENTER);
    expect(await terminal.ended).toBe(0);
    expect(await texts()).toEqual(["a\u001B[2J\u0007b\u009Bc"]);
    expect(terminal.raw).not.toMatch(/\u001B\[2J|\u0007|\u009B/);
  });
});
