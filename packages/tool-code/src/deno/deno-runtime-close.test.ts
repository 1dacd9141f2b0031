import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runHost } from "../../test/host-process.ts";
import { noTools, temporaryDirectory } from "../../test/sandbox.ts";
import { DenoRuntime } from "./index.ts";

describe("close()", () => {
  test("leaves nothing in the directory for temporary files", async () => {
    const tempDir = temporaryDirectory();
    const runtime = new DenoRuntime({ tempDir, prewarm: 2 });
    await runtime.execute({
      code: "const a: number = 1; console.log(a); while (true) {}",
      callTool: noTools,
      limits: { wallMs: 200 },
    });
    await runtime.execute({ code: "await import('node:fs'); return 1", callTool: noTools });
    await runtime.close();
    expect(readdirSync(tempDir)).toEqual([]);
  });

  test("ends what runs when it is closed, and runs nothing afterwards", async () => {
    const runtime = new DenoRuntime();
    let started = (): void => undefined;
    const running = new Promise<void>((resolve) => (started = resolve));
    const outcome = runtime.execute({
      code: "console.log(1); while (true) {}",
      callTool: noTools,
      onOutput: () => started(),
    });
    await running;
    await runtime.close();
    expect((await outcome).error).toMatchObject({ kind: "aborted", message: "the runtime was closed" });
    expect((await runtime.execute({ code: "1", callTool: noTools })).error).toMatchObject({ kind: "unavailable" });
    await runtime.close();
  });

  test.each([
    ["nothing has run yet", ""],
    ["something has", "await runtime.execute({ code: '1', callTool: async () => 0 });"],
    [
      "something has some time ago",
      "await runtime.execute({ code: '1', callTool: async () => 0 });\nawait new Promise((resolve) => setTimeout(resolve, 5));",
    ],
  ])("settles in a host that waits for nothing else, when %s", async (_, before) => {
    const lines = `const runtime = new DenoRuntime({ prewarm: 2 });\n${before}\nawait runtime.close();\nconsole.log("closed");`;
    expect(await runHost(lines)).toEqual([0, "closed\n"]);
  });
});
