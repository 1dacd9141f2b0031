import { expect, test } from "vitest";
import { toJsonLines } from "../src/history/json-lines.ts";
import type { Memory } from "../src/memory/create-memory.ts";
import { useSharedDatabase } from "./shared-database.ts";

const { open } = useSharedDatabase();

/** A memory with something of everything, as lines. */
async function filled(): Promise<{ memory: Memory; lines: string[] }> {
  const memory = await open({ session: "monday" });
  const { manager, steward } = memory;
  await steward.write({ label: "persona", content: "I am Ada", tier: "core" });
  await manager.write({ label: "persona", content: "I am Eve 😀", reason: "asked" });
  await manager.write({ label: "log", content: "one", tier: "archival", source: "web" });
  await manager.write({ label: "log", content: "'two'\n\t\u2028", tier: "archival" });
  await manager.write({ label: "gone", content: "secret" });
  await steward.forget("gone");
  await manager.write({ label: "notes", content: "x" });
  await manager.move({ label: "notes", newLabel: "other notes" });
  await steward.undo(6);
  const [proposal] = await steward.pending();
  await steward.reject(proposal?.id ?? "", "no");
  await manager.write({ label: "persona", content: "I am Grace" });
  return { memory, lines: [...toJsonLines(await steward.export())] };
}

test("import({ restore }) brings everything back as it was, in pieces of any size", async () => {
  const { memory, lines } = await filled();
  const copy = await open();
  const text = lines.join("");
  async function* pieces() {
    for (let at = 0; at < text.length; at += 97) yield text.slice(at, at + 97);
  }
  expect(await copy.steward.import(pieces(), { restore: true })).toEqual({
    outcome: "imported",
    blocks: 3,
    unchanged: 0,
    proposals: 2,
    events: 7,
  });
  const everything = async ({ steward }: Memory) => {
    const { blocks, events, mutations } = await steward.export();
    return { blocks, events, mutations };
  };
  expect(await everything(copy)).toEqual(await everything(memory));
  expect(await copy.steward.verify()).toEqual(await memory.steward.verify());
  expect(await copy.manager.write({ label: "log", content: "three" })).toMatchObject({ outcome: "applied" });
  expect(await copy.steward.verify()).toMatchObject({ ok: true, head: { seq: 8 } });
  expect(await copy.steward.import(lines, { restore: true })).toMatchObject({ outcome: "refused", line: 0 });
});

test("import() adds texts as imported, and leaves core and what is there to a person", async () => {
  const { lines } = await filled();
  const { manager, steward, renderCore } = await open();
  await manager.write({ label: "LOG", content: "mine" });
  await manager.write({ label: "notes", content: "x" });
  expect(await steward.import(lines, { reason: "from a friend" })).toMatchObject({
    blocks: 0,
    unchanged: 1,
    proposals: 2,
  });
  expect(await steward.get("log")).toMatchObject({ content: "mine" });
  expect((await steward.pending()).map(({ label, source, trust }) => [label, source, trust])).toEqual([
    ["LOG", "import", "low"],
    ["persona", "import", "low"],
  ]);
  expect((await renderCore()).text).toBe("");
  const empty = await open();
  expect(await empty.steward.import(lines)).toMatchObject({ blocks: 2, proposals: 1, events: 0 });
  expect(await empty.steward.get("log")).toMatchObject({ permission: "append", source: "import", trust: "low" });
});

const change = (find: string | RegExp, now: string) => (lines: string[]) =>
  lines.map((line) => line.replace(find, now));
const hostile: readonly [string, number, (lines: string[]) => string[]][] = [
  ["no heading", 1, (lines) => lines.slice(1)],
  ["another format", 1, change("dispatch-memory/1", "dispatch-memory/9")],
  ["no JSON", 3, (lines) => lines.with(2, "{nonsense\n")],
  ["a line that is cut", 12, (lines) => lines.with(11, (lines[11] ?? "").slice(0, 50))],
  ["an end that is missing", 14, (lines) => lines.slice(0, -1)],
  ["lines after the end", 15, (lines) => [...lines, lines[1] ?? ""]],
  ["a line that is missing", 13, (lines) => lines.toSpliced(2, 1)],
  ["a block twice", 3, (lines) => lines.with(2, lines[1] ?? "")],
  ["a field there is not", 2, change('{"block":{"id":', '{"block":{"x":1,"id":')],
  ["a bad label", 3, (lines) => lines.with(2, (lines[2] ?? "").replace('"label":"notes"', '"label":"../x"'))],
  [
    "a text with U+0000",
    3,
    (lines) => lines.with(2, (lines[2] ?? "").replace('"content":"x"', '"content":"a\\u0000"')),
  ],
  ["half a character", 3, (lines) => lines.with(2, (lines[2] ?? "").replace('"content":"x"', '"content":"\\ud800"'))],
  [
    "a text that is too long",
    3,
    (lines) => lines.with(2, (lines[2] ?? "").replace('"content":"x"', `"content":"${"x".repeat(20_001)}"`)),
  ],
  ["a tier there is not", 3, (lines) => lines.with(2, (lines[2] ?? "").replace('"working"', '"root"'))],
  ["a prototype", 3, (lines) => lines.with(2, '{"__proto__":{}}\n')],
  ["two things in a line", 3, (lines) => lines.with(2, '{"block":{},"event":{}}\n')],
];

test.each(hostile)("import() refuses %s with its line and imports nothing", async (_name, line, damage) => {
  const { lines } = await filled();
  expect(lines).toHaveLength(14);
  const damaged = damage(lines);
  for (const restore of [true, false]) {
    const { steward } = await open();
    const result = await steward.import(damaged, { restore });
    expect(result).toMatchObject({ outcome: "refused", code: "invalid_import", line });
    expect((await steward.export()).blocks).toEqual([]);
    expect(await steward.history()).toEqual([]);
  }
});

test("import({ restore }) refuses a history that was changed, or blocks that are not what it amounts to", async () => {
  const { lines } = await filled();
  for (const damage of [
    change('"reason":null', '"reason":"forged"'),
    change('"trust":"low"', '"trust":"high"'),
    change("I am Ada", "I am Eve"),
    (all: string[]) => all.with(2, (all[2] ?? "").replace('"readwrite"', '"readonly"')),
  ]) {
    const { steward } = await open();
    expect(await steward.import(damage(lines), { restore: true })).toMatchObject({ outcome: "refused" });
    expect(await steward.history()).toEqual([]);
  }
});

test("import() stops where the memory is full, and then has imported nothing", async () => {
  const { lines } = await filled();
  const { steward } = await open({ limits: { blocks: 1, totalChars: 1_000 } });
  expect(await steward.import(lines)).toMatchObject({ outcome: "refused", line: 3 });
  expect((await steward.export()).blocks).toEqual([]);
});
