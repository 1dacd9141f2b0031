import { createToolRegistry } from "@dispatch/tools-interface";
import { afterAll, describe, expect, test } from "vitest";
import { DenoRuntime } from "../src/deno/index.ts";
import { registerCodeTool, type CodeLimits } from "../src/index.ts";
import { temporaryDirectory } from "./sandbox.ts";

interface Breach {
  /** The limit, small. */
  readonly value: number;
  /** Goes over it. */
  readonly code: string;
  /** Text that names the limit for a model. */
  readonly says: RegExp;
}

/** The limits a program can exceed. The others only shorten the shown text or the wait. */
const breaches: Readonly<
  Record<Exclude<keyof CodeLimits, "textChars" | "declarationChars" | "maxConcurrency" | "lingerMs">, Breach>
> = {
  codeBytes: { value: 20, code: "return 'a long program';", says: /has 24 bytes, allowed are 20/ },
  wallMs: { value: 200, code: "while (true) {}", says: /longer than 200 ms/ },
  totalMs: { value: 200, code: "while (true) {}", says: /longer than 200 ms/ },
  cpuMs: {
    value: 300,
    code: "const { pbkdf2 } = await import('node:crypto'); for (let i = 0; i < 9; i++) pbkdf2('a', 'b', 1e8, 64, 'sha512', () => 0); await new Promise(() => setTimeout(() => 0, 1e6));",
    says: /more than 300 ms of processor time/,
  },
  diskMb: {
    value: 2,
    code: "const a = new Uint8Array(500_000); for (let i = 0; ; i++) await Deno.writeFile(`${i}.bin`, a);",
    says: /more than 2 MiB/,
  },
  heapMb: { value: 24, code: "const a: any[] = []; while (true) a.push({ a });", says: /over 24 MiB/ },
  rssMb: {
    value: 160,
    code: "const a = []; while (true) a.push(new Uint8Array(1_000_000).fill(1));",
    says: /more than 160 MiB/,
  },
  outputBytes: { value: 100, code: "while (true) console.log('x');", says: /more than 100 bytes/ },
  frameBytes: {
    value: 5_000,
    code: "await __callTool__('nothing', 'x'.repeat(10_000));",
    says: /longer than 5000 bytes|too long/,
  },
  frameValues: {
    value: 5,
    code: "await __callTool__('nothing', [1, 2, 3, 4, 5, 6]);",
    says: /hold more than 5 values/,
  },
  hostMb: {
    value: 1,
    code: "for (;;) await __callTool__('nothing', { text: 'x'.repeat(300_000) }).catch(() => 0);",
    says: /more than 1 MiB of the host/,
  },
  calls: {
    value: 3,
    code: "for (let i = 0; i < 9; i++) await __callTool__('nothing', {}).catch(() => 0);",
    says: /more than 3 tools/,
  },
};

describe("a limit", () => {
  const runtime = new DenoRuntime({ prewarm: 0, cwd: temporaryDirectory() });
  afterAll(() => runtime.close());

  test.each(Object.entries(breaches))("%s says which it was and what to do next", async (name, breach) => {
    const registry = registerCodeTool(createToolRegistry(), { runtime, limits: { [name]: breach.value } });
    const result = await registry.dispatch("execute_code", { code: breach.code });
    expect(result.success).toBe(false);
    const [first = "", ...next] = result.toString().split("\n");
    expect(result.toString()).toMatch(breach.says);
    expect(first).toMatch(/^Running the program failed/);
    expect(next.join("\n")).toMatch(/[a-z]{3}/);
  });
});
