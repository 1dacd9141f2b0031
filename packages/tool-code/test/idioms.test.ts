import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { answerN } from "./idioms/idiom.ts";
import { LAST_VALUES } from "./idioms/last-values.ts";
import { sandbox, temporaryDirectory } from "./sandbox.ts";

const cwd = temporaryDirectory();
const run = sandbox({ cwd });

describe("execute() gives a program of a model the value it means:", () => {
  test.each(LAST_VALUES)("%s", async (_, code, value) => {
    writeFileSync(path.join(cwd, "given.txt"), "G");
    writeFileSync(path.join(cwd, "given.ts"), 'export const given: string = "given";');
    const { ok, error, value: found, calls } = await run(code, { callTool: answerN });
    expect([error, ok, found]).toEqual([undefined, true, value]);
    expect(calls.every(({ status }) => status === "succeeded")).toBe(true);
  });

  test.each([
    ["a throw in main()", `async function main() {\n  throw new Error("x");\n}\nmain();`, 2, 9],
    ["a throw in the last line", "const a = 1;\n  \nnull!.x;", 3, 7],
    ["process.exit(1)", "const a = 1;\nprocess.exit(1);", 2, 9],
  ])("%s fails at its place", async (_, code, line, column) => {
    expect((await run(code)).error).toMatchObject({ kind: "runtime", line, column });
  });
});
