import { createToolRegistry, defineTool, type ToolResult } from "@dispatch/tools-interface";
import { expect, test } from "vitest";
import { z } from "zod";
import { makeWorktree } from "../../test/worktree.ts";
import { fileTools } from "../file-tools.ts";
import { MAX_PROGRAM_BYTES } from "./read-schema.ts";

/** Calls `read_file` as a tool that runs a program does, or for itself. */
async function readFrom(root: string, params: object, caller: "program" | "tool"): Promise<ToolResult> {
  let answer: ToolResult | undefined;
  const outer = defineTool({
    name: "outer",
    description: "Calls another tool.",
    parameters: z.object({}),
    async execute(_, run) {
      answer = await run.dispatch?.({ name: "read_file", arguments: params }, { caller });
      return "done";
    },
  });
  const registry = createToolRegistry().register(outer).register(fileTools.read_file);
  await registry.dispatch("outer", {}, { context: { worktreePath: root } });
  return answer as ToolResult;
}

const dataOf = (result: ToolResult) => (result as { data?: unknown }).data as { content: string; next: unknown };

test("read_file gives a program all of a file that a model gets in parts", async () => {
  const text = `${"a line\n".repeat(30_000)}${"x".repeat(100_000)}\nend`;
  const { root } = makeWorktree({ "long.txt": text });
  const whole = await readFrom(root, { path: "long.txt" }, "program");
  expect(dataOf(whole)).toMatchObject({ content: text, next: null, total_lines: 30_002, cut: [] });
  expect(whole.toString().length).toBeLessThan(200);
  expect(dataOf(await readFrom(root, { path: "long.txt" }, "tool")).next).not.toBeNull();
  const range = await readFrom(root, { path: "long.txt", start_line: 29_999, end_line: 30_001 }, "program");
  expect(dataOf(range).content).toBe(`a line\n${"x".repeat(100_000)}\nend`);
});

test("read_file refuses a program what is longer than it may give, instead of a part", async () => {
  const lines = "0123456789abcdef\n".repeat(MAX_PROGRAM_BYTES / 16);
  const { root } = makeWorktree({ "lines.txt": lines, "line.txt": "x".repeat(MAX_PROGRAM_BYTES + 1) });
  for (const path of ["lines.txt", "line.txt"]) {
    const refused = await readFrom(root, { path }, "program");
    expect(refused).toMatchObject({ success: false, code: "file_too_large" });
    expect(refused.toString()).toContain(`${MAX_PROGRAM_BYTES} bytes`);
  }
  const part = await readFrom(root, { path: "lines.txt", end_line: 100_000 }, "program");
  expect(dataOf(part)).toMatchObject({ next: null, end_line: 100_000 });
});
