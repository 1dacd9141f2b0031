import type { DenoRuntime } from "@dispatch/tool-code/deno";
import { expect, test } from "vitest";
import { openRuntime } from "./open-runtime.ts";

const program = { code: "const n: number = 1; return n + 1", callTool: () => Promise.reject(new Error("none")) };

test("openRuntime() runs programs in QuickJS where there is no Deno, and says so", async () => {
  const heard: string[] = [];
  const runtime = openRuntime({ denoPath: "/nowhere/deno", onWarning: (text) => heard.push(text) });
  expect((await runtime.execute(program)).value).toBe(2);
  await runtime.close();
  expect([runtime.description?.includes("no network"), heard]).toEqual([
    true,
    [expect.stringContaining("no Deno for this system")],
  ]);
});

test("openRuntime() says so where no wall of the kernel holds Deno", async () => {
  const heard: string[] = [];
  const runtime = openRuntime({ onWarning: (text) => heard.push(text) }) as DenoRuntime;
  expect((await runtime.execute(program)).value).toBe(2);
  await runtime.close();
  const { strength } = runtime.describeContainment();
  expect(heard.length).toBe(strength === "kernel" ? 0 : 1);
});
