import { createDurable, type Durable } from "@dispatch/durable";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeEngines } from "./all-engines.ts";

/** Texts that keys are made of, that columns and addresses cannot hold, or that are long and cannot be compressed. */
const NAMES = [
  " ",
  "\0",
  "\uD800",
  "\uDC00",
  "\uFFFD",
  "a\0b",
  '"\\ud800"',
  '"',
  "../",
  "../../etc/passwd",
  ".",
  "..",
  "%",
  "%2e%2e",
  "%00",
  "/",
  "a/b",
  "a%2Fb",
  "a?b",
  "a#1",
  "a#1#1",
  "a.1",
  "a:1",
  "a:used",
  "unknown:a",
  "__proto__",
  "constructor",
  "'; DROP TABLE step; --",
  "\u{1F600}",
  "e\u0301",
  "\u00E9",
  "x".repeat(10_000),
  `${"x".repeat(9_999)}y`,
  noise(10_000),
  `${noise(9_999)}~`,
  "\uD800".repeat(2_000),
] as const;

/** Text that no database makes shorter. */
function noise(length: number): string {
  let state = 7;
  const letter = (): string => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return String.fromCodePoint(33 + ((state >>> 12) % 90));
  };
  return Array.from({ length }, letter).join("");
}

const effects: string[] = [];
const act = defineTool({
  name: "act",
  description: "Acts, and asks.",
  parameters: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  async execute(params, run) {
    const { name } = params as { readonly name: string };
    effects.push(run.effectId);
    const stepped = await run.durable?.step(name, () => name);
    await run.durable?.wait(name, name, { patienceMs: 0 });
    return `${stepped === name ? "kept" : "mixed up"} ${run.effectId}`;
  },
});
const registry = createToolRegistry().register(act);
/** The names of the effects in the engine that was first. */
let first: readonly string[] | undefined;

describeEngines(({ open }) => {
  let durable: Durable;
  beforeAll(async () => {
    durable = createDurable(await open());
    effects.length = 0;
  });
  afterAll(() => durable.close());

  const run = async (session: string, id: string, turn: string): Promise<string> => {
    const kept = durable.session(session);
    const call = { id, turn, name: "act", arguments: { name: id } };
    return String(await registry.dispatch(call, { durable: kept, transcript: kept.transcript }));
  };

  test("sessions, ids of calls, turns and steps with hostile names are never taken for each other", async () => {
    const results: string[] = [];
    for (const name of NAMES) {
      results.push(await run(name, "id", "turn"), await run("s", name, "turn"), await run("s", "id", name));
    }
    expect(results.filter((result) => !result.startsWith("kept eff_"))).toEqual([]);
    expect(new Set(effects).size).toBe(NAMES.length * 3);
    first ??= [...effects];
    expect(effects).toEqual(first);
    for (const name of NAMES) {
      expect(await durable.session(name).transcript?.find("id", "turn")).toMatchObject({ callId: "id" });
      expect(await durable.session("s").transcript?.find("id", name)).toMatchObject({ turn: name });
      expect((await durable.session(name).transcript?.entries())?.length).toBe(1);
      expect(await durable.session("s").transcript?.find(name, "turn")).toMatchObject({ callId: name });
    }
    const { waits } = await durable.open();
    expect(new Set(waits.map(({ key }) => key)).size).toBe(NAMES.length * 3);
  });

  test("a session may have an empty name", async () => {
    expect(await run("", "empty", "turn")).toMatch(/^kept eff_/);
    expect(await durable.session("").transcript?.entries()).toHaveLength(1);
  });

  test("the same call again does not run", async () => {
    const before = effects.length;
    for (const name of NAMES) expect(await run(name, "id", "turn")).toMatch(/^kept eff_/);
    expect(effects).toHaveLength(before);
  });
});
