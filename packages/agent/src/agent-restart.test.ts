import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { payingAgents } from "./__fixtures__/paying-agents.ts";

test.each([1, 2, 3, 4, 5])("approvals of agents %i deep are each asked once, with a restart between", async (depth) => {
  const directory = mkdtempSync(path.join(tmpdir(), "agents-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const effects = path.join(directory, "effects");
  const asked: string[] = [];
  for (let level = 1; level <= depth + 1; level += 1) {
    const { durable, desk, dispatch } = await payingAgents(path.join(directory, "calls.db"), effects, depth);
    const result = await dispatch();
    const waiting = await desk.waiting();
    for (const { key, parents, params } of waiting) {
      asked.push(`${parents.map(({ name }) => name).join(">")}:${JSON.stringify(params)}`);
      expect(await desk.answer(key, { approved: true, by: "Ada" })).toBe(true);
    }
    expect(waiting).toHaveLength(level <= depth ? 1 : 0);
    expect(result).toMatchObject(level <= depth ? { code: "approval_pending", effects: "none" } : { success: true });
    await durable.close();
  }
  const levels = Array.from({ length: depth }, (_, index) => index + 1);
  const chain = (level: number): string =>
    levels
      .slice(0, level)
      .map((at) => `agent${at}`)
      .join(">");
  expect(asked).toEqual(levels.map((level) => `${chain(level)}:{"level":${level}}`));
  const lines = readFileSync(effects, "utf8").trim().split("\n");
  expect(lines.filter((line) => line.startsWith("paid"))).toEqual(levels.map((level) => `paid ${level}`));
  const turns = lines.filter((line) => line.startsWith("asked"));
  expect(new Set(turns).size).toBe(turns.length);
});
