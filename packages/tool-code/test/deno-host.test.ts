import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findDeno } from "../src/deno/process/deno-binary.ts";

const HOST = `import { DenoRuntime } from "../src/deno/index.ts";
import { QuickJsRuntime } from "../src/quickjs/index.ts";
const code = "console.log(1); return await __callTool__('x', { a: 2 })";
for (const runtime of [new DenoRuntime({ prewarm: 0, onContainment: () => undefined }), new QuickJsRuntime({ threads: false })]) {
  const { value, output, error } = await runtime.execute({ code, callTool: async (_, params) => params });
  console.log(JSON.stringify({ value, output, error }));
  await runtime.close();
}`;

test.each([0, 2])("programs run where Deno is the host, and was given %i descriptors", (count) => {
  // Beside the tests, from where Deno finds the packages.
  const host = path.join(import.meta.dirname, `deno-host-${process.pid}-${count}.ts`);
  writeFileSync(host, HOST);
  const given = Array.from({ length: count }, () => openSync("/dev/null", "r"));
  onTestFinished(() => {
    rmSync(host);
    for (const descriptor of given) closeSync(descriptor);
  });
  const args = ["run", "--allow-all", "--no-lock", "--node-modules-dir=manual", "--conditions=@dispatch/source", host];
  const { stdout } = spawnSync(findDeno(), args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit", ...given] });
  const ran = JSON.stringify({ value: { a: 2 }, output: "1\n" });
  expect(stdout.trim().split("\n")).toEqual([ran, ran]);
});
