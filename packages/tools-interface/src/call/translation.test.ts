import { expect, test } from "vitest";
import { z } from "zod";
import {
  createToolRegistry,
  defineTool,
  ToolError,
  type AnyTool,
  type ApprovalRequest,
  type Translation,
} from "../index.ts";

function toolWith(
  translate: (sent: Readonly<Record<string, unknown>>) => Translation | undefined,
  destructive = false,
) {
  const seen: unknown[] = [];
  const tool = defineTool({
    name: "save",
    description: "Saves.",
    parameters: z.object({ path: z.string(), text: z.string().optional() }),
    annotations: { destructive },
    needsApproval: destructive,
    translate,
    execute(params) {
      seen.push(params);
      return "saved";
    },
  });
  return { tool: tool as unknown as AnyTool, seen };
}

const fromFilePath = ({ file_path, ...rest }: Readonly<Record<string, unknown>>) =>
  file_path === undefined
    ? undefined
    : { params: { path: file_path, ...rest }, changes: ['"file_path" was taken for "path"'] };

test("defineTool() translates a call that does not fit, and lists each change", async () => {
  const { tool, seen } = toolWith(fromFilePath);
  const result = await tool.call({ file_path: "a.txt", text: "x" });
  expect(result).toMatchObject({ success: true, output: "saved" });
  expect(result.repairs).toEqual([{ path: [], kind: "translated", message: '"file_path" was taken for "path"' }]);
  expect(seen).toEqual([{ path: "a.txt", text: "x" }]);
});

test("defineTool() translates a call that fits but has fields it does not name", async () => {
  const { tool, seen } = toolWith(({ body, ...rest }) =>
    body === undefined ? undefined : { params: { ...rest, text: body }, changes: ['"body" was taken for "text"'] },
  );
  const result = await tool.call({ path: "a", body: "x" });
  expect(result.ignored).toEqual([]);
  expect(seen).toEqual([{ path: "a", text: "x" }]);
});

test("a call that fits is not translated", async () => {
  let asked = 0;
  const { tool } = toolWith(() => {
    asked += 1;
    return undefined;
  });
  await tool.call({ path: "a" });
  expect(asked).toBe(0);
  await tool.call({ path: 1 });
  expect(asked).toBe(1);
});

test("what is translated is checked and repaired like any call", async () => {
  const { tool, seen } = toolWith(fromFilePath);
  const repaired = await tool.call({ file_path: "a", text: null });
  expect(repaired.repairs.map(({ kind }) => kind)).toEqual(["translated", "null_dropped"]);
  expect(seen).toEqual([{ path: "a" }]);
  expect(await tool.call({ file_path: 7 })).toMatchObject({ success: false, code: "invalid_params" });
  const ignored = await tool.call({ file_path: "a", other: 1 });
  expect(ignored.ignored).toEqual([{ path: ["other"] }]);
});

test("a ToolError refuses the call, anything else that is thrown changes nothing", async () => {
  const refusing = toolWith(() => {
    throw new ToolError("offset may count from 0 or 1, send start_line", { code: "invalid_params" });
  });
  expect(await refusing.tool.call({ offset: 3 })).toMatchObject({
    success: false,
    code: "invalid_params",
    error: "Cannot call save with these parameters: offset may count from 0 or 1, send start_line",
  });
  expect(await refusing.tool.validate({ offset: 3 })).toMatchObject({ success: false });
  const broken = toolWith(() => {
    throw new TypeError("broken");
  });
  expect(await broken.tool.call({ path: "a", more: 1 })).toMatchObject({
    success: true,
    ignored: [{ path: ["more"] }],
  });
});

test("a destructive tool is translated, too, and the approver is shown how", async () => {
  const { tool, seen } = toolWith(fromFilePath, true);
  const requests: ApprovalRequest[] = [];
  const registry = createToolRegistry().register(tool);
  const result = await registry.dispatch(
    { name: "save", arguments: { file_path: "a" } },
    {
      approve: (request: ApprovalRequest) => {
        requests.push(request);
        return { approved: true };
      },
    },
  );
  expect(result.success, String(result)).toBe(true);
  expect(requests[0]?.repairs.map(({ message }) => message)).toEqual(['"file_path" was taken for "path"']);
  expect(requests[0]?.params).toEqual({ path: "a" });
  expect(seen).toEqual([{ path: "a" }]);
});

test("Tool.validate() answers for the translated call", async () => {
  const { tool } = toolWith(fromFilePath);
  expect(await tool.validate({ file_path: "a" })).toEqual({ success: true, params: { path: "a" }, ignored: [] });
});
