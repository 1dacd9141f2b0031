import { createToolRegistry, createTranscript, type ToolResult } from "@dispatch/tools-interface";
import { beforeEach, expect, test } from "vitest";
import type { MemoryBlock, MemoryHit } from "../block/memory-block.ts";
import type { MemoryManager, WriteResult } from "../block/memory-manager.ts";
import type { PendingMutation } from "../block/mutation.ts";
import type { ToolManager } from "./memory-access.ts";
import { createMemoryTools, registerMemoryTools } from "./memory-tools.ts";

const at = "2026-01-01T00:00:00.000Z";
const block: MemoryBlock = {
  id: "b1",
  label: "notes/tea",
  tier: "working",
  permission: "readwrite",
  source: "agent",
  trust: "medium",
  content: "likes green tea",
  version: 2,
  createdAt: at,
  updatedAt: at,
};
const mutation: PendingMutation = {
  id: "m1",
  op: "write",
  newLabel: null,
  supersedes: null,
  supersedesLabel: null,
  supersedesSource: null,
  supersedesVersion: null,
  validFrom: null,
  source: "agent",
  trust: "medium",
  session: null,
  expiresAt: at,
  label: "persona",
  tier: "core",
  blockId: "b2",
  baseVersion: 1,
  before: "I am Ada",
  proposed: "I am Eve",
  diff: "--- persona (version 1)\n+++ persona (proposed)\n@@ -1,1 +1,1 @@\n-I am Ada\n+I am Eve",
  stale: false,
  reason: "asked",
  actor: { kind: "agent", id: "agent" },
  at,
};

/** A manager of somebody else's: a list of blocks and a scripted answer to writes. */
class ListManager implements ToolManager {
  readonly calls: unknown[] = [];
  blocks: MemoryHit[] = [{ ...block, score: 1.5 }];
  answer: WriteResult = { outcome: "applied", block };
  fault: Error | undefined;

  async search(...call: Parameters<MemoryManager["search"]>): Promise<readonly MemoryHit[]> {
    this.#called("search", call);
    return this.blocks;
  }

  async write(...call: Parameters<MemoryManager["write"]>): Promise<WriteResult> {
    this.#called("write", call);
    return this.answer;
  }

  async list(...call: Parameters<MemoryManager["list"]>) {
    this.#called("list", call);
    return this.blocks.map(({ content, createdAt: _, score: __, ...rest }) => ({
      ...rest,
      characters: content.length,
      preview: content.slice(0, 80),
    }));
  }

  #called(method: string, call: unknown): void {
    this.calls.push([method, call]);
    if (this.fault !== undefined) throw this.fault;
  }
}

let manager: ListManager;
const call = (name: string, params: unknown): Promise<ToolResult> =>
  registerMemoryTools(createToolRegistry(), manager).dispatch({ name, arguments: params }, {});
const textOf = (result: ToolResult): string => String(result);

beforeEach(() => {
  manager = new ListManager();
});

test("createMemoryTools() gives the three tools, read and list marked as reading only", () => {
  const tools = createMemoryTools(manager);
  expect(tools.map(({ name, annotations }) => [name, annotations.readOnly ?? false])).toEqual([
    ["memory_read", true],
    ["memory_write", false],
    ["memory_list", true],
  ]);
  expect(tools.map(({ parameters }) => parameters["required"])).toEqual([["query"], ["label", "content"], []]);
  expect(
    tools.every(
      ({ output }) =>
        output?.["type"] === "object" || output?.["oneOf"] !== undefined || output?.["anyOf"] !== undefined,
    ),
  ).toBe(true);
});

test("registerMemoryTools() types what each tool takes and gives", async () => {
  const registry = registerMemoryTools(createToolRegistry(), manager);
  const result = await registry.dispatch("memory_list", { tier: "core" });
  const labels: readonly string[] = result.success ? (result.data?.blocks ?? []).map(({ label }) => label) : [];
  expect(labels).toEqual(["notes/tea"]);
  expect(registry.toolNames).toEqual(["memory_read", "memory_write", "memory_list"]);
  expect(registry.generateStubs()).toContain("async function memory_read(params: {");
});

test("memory_read passes query, limit and tier on and answers with the blocks as JSON", async () => {
  const result = await call("memory_read", { query: "tea", limit: 2, tier: "working" });
  expect(manager.calls).toEqual([["search", ["tea", { limit: 2, tier: "working" }]]]);
  const { label, content, source } = block;
  expect(JSON.parse(textOf(result))).toEqual({ blocks: [{ label, content, age: expect.any(String), source }] });
  expect(result).toMatchObject({
    success: true,
    data: { blocks: [{ ...block, score: 1.5 }] },
  });
});

test("no answer shows ids or times, of which its data has all", async () => {
  for (const [name, params] of [
    ["memory_read", { query: "tea" }],
    ["memory_list", {}],
  ] as const) {
    const result = await call(name, params);
    expect(textOf(result)).not.toMatch(/b1|2026-01-01/);
    expect(result).toMatchObject({ data: { blocks: [{ id: "b1", updatedAt: at }] } });
  }
});

test("memory_read asks for 5 blocks when no limit is given", async () => {
  await call("memory_read", { query: "tea" });
  expect(manager.calls).toEqual([["search", ["tea", { limit: 5 }]]]);
});

test.each([
  [{ query: "tea" }, "matches the query"],
  [{ query: " \n" }, "query is empty"],
])("memory_read says what to do when %j finds nothing", async (params, said) => {
  manager.blocks = [];
  const result = await call("memory_read", params);
  expect(result).toMatchObject({ success: true, data: { blocks: [] } });
  expect(textOf(result)).toContain(said);
  expect(textOf(result)).toContain("memory_list");
});

test("memory_read leaves out what does not fit and says so, data stays whole", async () => {
  const content = Array.from({ length: 30 }, (_, n) => `${n}`.padEnd(500, ".")).join("");
  const passages = [[5_000, 5_500] as const, [1_000, 1_500] as const];
  manager.blocks = [1, 2, 3].map((n) => ({ ...block, label: `long${n}`, content, passages, score: 1 }));
  const result = await call("memory_read", { query: "long" });
  const { blocks, note } = JSON.parse(textOf(result)) as { blocks: { content: string; cut?: string }[]; note?: string };
  expect(blocks.map(({ content: shown }) => shown)).toEqual([
    content,
    `[…] ${content.slice(1_000, 1_500)} […] ${content.slice(5_000, 5_500)} […]`,
    `[…] ${content.slice(1_000, 1_500)} […] ${content.slice(5_000, 5_500)} […]`,
  ]);
  expect(blocks[1]?.cut).toContain("14000 characters are left out");
  expect(note).toBeUndefined();
  expect(result).toMatchObject({ data: { blocks: [{}, { content }, {}] } });
});

test("memory_read says when a search went by words only, also when it found nothing", async () => {
  for (const blocks of [manager.blocks, []]) {
    manager.blocks = Object.assign([...blocks], { degraded: "the embedder did not answer" });
    expect(textOf(await call("memory_read", { query: "tea" }))).toContain(
      "Searched by words only: the embedder did not answer",
    );
  }
});

test("memory_write names blocks that say nearly the same, and how to supersede one", async () => {
  manager.answer = {
    outcome: "applied",
    block,
    similar: [{ label: "old/tea", source: "agent", trust: "medium", likeness: 0.9, preview: "likes <b>tea" }],
  };
  const text = textOf(await call("memory_write", { label: "notes/tea", content: "x", supersedes: "older" }));
  expect(text).toMatch(/nearly the same or are about the same subject.*supersedes.*old\/tea/);
  expect(text).not.toContain("<b>");
  expect(manager.calls).toMatchObject([["write", [{ supersedes: "older" }]]]);
});

test("memory_write answers an applied write with the block", async () => {
  const result = await call("memory_write", {
    label: "notes/tea",
    content: "likes green tea",
    reason: "told",
    expect_version: 1,
  });
  expect(manager.calls).toEqual([
    [
      "write",
      [
        {
          label: "notes/tea",
          content: "likes green tea",
          tier: undefined,
          reason: "told",
          expectVersion: 1,
          source: undefined,
          supersedes: undefined,
          findSimilar: true,
        },
      ],
    ],
  ]);
  expect(result).toMatchObject({ success: true, data: { outcome: "applied", block } });
  expect(textOf(result)).toContain('"label":"notes/tea"');
  expect(textOf(result)).not.toMatch(/b1|2026-01-01/);
});

test("memory_write answers a queued write with success, the familiar and the mutation", async () => {
  manager.answer = { outcome: "queued", mutation };
  const result = await call("memory_write", { label: "persona", content: "I am Eve" });
  expect(result).toMatchObject({ success: true, data: { outcome: "queued", mutation } });
  expect(textOf(result)).toMatch(/familiar.* must approve/);
  expect(textOf(result)).toContain("-I am Ada\\n+I am Eve");
});

test("memory_write answers a refused write with a failure and the reason", async () => {
  manager.answer = { outcome: "refused", code: "readonly", reason: "Write to persona refused: it is readonly" };
  const result = await call("memory_write", { label: "persona", content: "x" });
  expect(result).toMatchObject({ success: false, code: "readonly", error: "Write to persona refused: it is readonly" });
});

test("memory_write answers a conflict with a failure and the block as it is", async () => {
  manager.answer = {
    outcome: "conflict",
    current: block,
    proposed: "x",
    reason: "Write not done: version 1 was expected",
  };
  const result = await call("memory_write", { label: "notes/tea", content: "x", expect_version: 1 });
  expect(result).toMatchObject({ success: false, code: "conflict", error: expect.stringContaining("likes green tea") });
});

test("memory_list answers with label, tier, permission and preview, of one tier or all", async () => {
  const result = await call("memory_list", {});
  await call("memory_list", { tier: "archival" });
  expect(manager.calls).toEqual([
    ["list", [{ tier: undefined }]],
    ["list", [{ tier: "archival" }]],
  ]);
  expect(JSON.parse(textOf(result))).toMatchObject({
    blocks: [{ label: "notes/tea", tier: "working", permission: "readwrite", preview: "likes green tea" }],
  });
});

test("memory_list shows 200 of many blocks and says so", async () => {
  manager.blocks = Array.from({ length: 250 }, (_, n) => ({ ...block, label: `n${n}`, score: 0 }));
  const result = await call("memory_list", {});
  const text = JSON.parse(textOf(result)) as { blocks: unknown[]; note: string };
  expect(text.blocks).toHaveLength(200);
  expect(text.note).toContain("200 of 250");
});

test.each([
  ["memory_read", {}],
  ["memory_read", { query: 1 }],
  ["memory_read", { query: "x", limit: 0 }],
  ["memory_read", { query: "x", tier: "secret" }],
  ["memory_write", { label: "x" }],
  ["memory_write", { content: "x" }],
  ["memory_list", { tier: 1 }],
])("%s does not reach the manager with the parameters %j", async (name, params) => {
  expect(await call(name, params)).toMatchObject({ success: false, code: "invalid_params" });
  expect(manager.calls).toEqual([]);
});

test.each([
  ["memory_read", { query: "x" }],
  ["memory_write", { label: "x", content: "y" }],
  ["memory_list", {}],
])("%s tells the model nothing of what a database threw", async (name, params) => {
  manager.fault = new Error("ENOENT /home/me/.secret SELECT * FROM passwords");
  const transcript = createTranscript();
  const result = await registerMemoryTools(createToolRegistry(), manager).dispatch(
    { name, arguments: params },
    { transcript },
  );
  expect(result).toMatchObject({
    success: false,
    code: "memory_unavailable",
    metadata: { cause: expect.stringContaining("ENOENT") },
  });
  expect(textOf(result)).not.toMatch(/secret|SELECT|ENOENT/);
  expect(transcript.entries).toHaveLength(1);
});
