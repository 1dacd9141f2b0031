import { expect, test } from "vitest";
import { toJsonLines } from "../src/history/json-lines.ts";
import type { Memory } from "../src/memory/open-memory.ts";
import { useSharedDatabase } from "./shared-database.ts";

const { open } = useSharedDatabase();

/** A memory with something of everything, as lines. */
async function filled(): Promise<{ memory: Memory; lines: string[] }> {
  const memory = await open({ session: "monday" });
  const { manager, admin } = memory;
  await admin.write({ label: "persona", content: "I am Ada", tier: "core" });
  await manager.write({ label: "persona", content: "I am Eve 😀", reason: "asked" });
  await manager.write({ label: "log", content: "one", tier: "archival", source: "web" });
  await manager.write({ label: "log", content: "'two'\n\t\u2028", tier: "archival" });
  await manager.write({ label: "gone", content: "secret" });
  await admin.forget("gone");
  await manager.write({ label: "notes", content: "x" });
  await manager.move({ label: "notes", newLabel: "other notes" });
  await admin.undo(6);
  const [proposal] = await admin.pending();
  await admin.reject(proposal?.id ?? "", "no");
  await manager.write({ label: "persona", content: "I am Grace" });
  return { memory, lines: [...toJsonLines(await admin.export())] };
}

test("import({ restore }) brings everything back as it was, in pieces of any size", async () => {
  const { memory, lines } = await filled();
  const copy = await open();
  const text = lines.join("");
  async function* pieces() {
    for (let at = 0; at < text.length; at += 97) yield text.slice(at, at + 97);
  }
  expect(await copy.admin.import(pieces(), { restore: true })).toEqual({
    outcome: "imported",
    blocks: 3,
    unchanged: 0,
    proposals: 2,
    events: 7,
  });
  const everything = async ({ admin }: Memory) => {
    const { blocks, events, mutations } = await admin.export();
    return { blocks, events, mutations };
  };
  expect(await everything(copy)).toEqual(await everything(memory));
  expect(await copy.admin.verify()).toEqual(await memory.admin.verify());
  expect(await copy.manager.write({ label: "log", content: "three" })).toMatchObject({ outcome: "applied" });
  expect(await copy.admin.verify()).toMatchObject({ ok: true, head: { seq: 8 } });
  expect(await copy.admin.import(lines, { restore: true })).toMatchObject({ outcome: "refused", line: 0 });
});

test("import() adds texts as imported, and leaves core and what is there to a person", async () => {
  const { lines } = await filled();
  const { manager, admin, renderCore } = await open();
  await manager.write({ label: "LOG", content: "mine" });
  await manager.write({ label: "notes", content: "x" });
  expect(await admin.import(lines, { reason: "from a friend" })).toMatchObject({
    blocks: 0,
    unchanged: 1,
    proposals: 2,
  });
  expect(await admin.get("log")).toMatchObject({ content: "mine" });
  expect((await admin.pending()).map(({ label, source, trust }) => [label, source, trust])).toEqual([
    ["LOG", "import", "low"],
    ["persona", "import", "low"],
  ]);
  expect((await renderCore()).text).toBe("");
  const empty = await open();
  expect(await empty.admin.import(lines)).toMatchObject({ blocks: 2, proposals: 1, events: 0 });
  expect(await empty.admin.get("log")).toMatchObject({ permission: "append", source: "import", trust: "low" });
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
    const { admin } = await open();
    const result = await admin.import(damaged, { restore });
    expect(result).toMatchObject({ outcome: "refused", code: "invalid_import", line });
    expect((await admin.export()).blocks).toEqual([]);
    expect(await admin.history()).toEqual([]);
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
    const { admin } = await open();
    expect(await admin.import(damage(lines), { restore: true })).toMatchObject({ outcome: "refused" });
    expect(await admin.history()).toEqual([]);
  }
});

test("import() stops where the memory is full, and then has imported nothing", async () => {
  const { lines } = await filled();
  const { admin } = await open({ limits: { blocks: 1, totalChars: 1_000 } });
  expect(await admin.import(lines)).toMatchObject({ outcome: "refused", line: 3 });
  expect((await admin.export()).blocks).toEqual([]);
});
