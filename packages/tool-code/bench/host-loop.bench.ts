/** Measures how long the host's event loop waits for frames made to keep it busy. Prints one line a figure. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as after } from "node:timers/promises";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { z } from "zod";
// @boundaries-ignore benches measure in one way
import { median, metric } from "../../tools-interface/bench/measure.ts";
import { DenoRuntime } from "../src/deno/index.ts";
import { registerCodeTool } from "../src/index.ts";

const ROUNDS = 3;
const BYTES = 7_800_000;

/** The parameters of a call, as an expression of JavaScript that gives JSON. Those that begin with "allowed" are taken. */
const parameters: Readonly<Record<string, string>> = {
  "escapes and small numbers": `'["' + "\\\\u00e9".repeat(${BYTES / 12}) + '"' + ",0".repeat(${BYTES / 4}) + "]"`,
  "small numbers": `"[0" + ",0".repeat(${BYTES / 2}) + "]"`,
  objects: `"[{}" + ",{}".repeat(${BYTES / 3}) + "]"`,
  keys: `"{" + Array.from({ length: ${BYTES / 13} }, (_, i) => '"k' + i + '":0').join() + "}"`,
  "allowed: an escaped text": `'"' + "\\\\n\\\\u2028".repeat(${BYTES / 8}) + '"'`,
  "allowed: a text": `'"' + "語".repeat(${BYTES / 3}) + '"'`,
  "a long number": `"1".repeat(${BYTES})`,
  "allowed: white space": `" ".repeat(${BYTES}) + "1"`,
  nesting: `"[".repeat(${BYTES / 2}) + "]".repeat(${BYTES / 2})`,
  "allowed: most objects": `"[{}" + ",{}".repeat(29_990) + "]"`,
  "allowed: most keys": `"{" + Array.from({ length: 29_990 }, (_, i) => '"k' + i + '":0').join() + "}"`,
  "allowed: most texts, all long": `"[" + Array.from({ length: 29_990 }, () => '"' + "\\\\u00e9".repeat(40) + '"').join() + "]"`,
};

/**
 * Imitates a program that has learned how messages are marked: sends the same call 16 times and ignores the answers.
 */
const sender = (json: string): string => String.raw`
const { writeSync } = require("node:fs");
const write = (text) => { for (let bytes = Buffer.from(text); bytes.length > 0;) try { bytes = bytes.subarray(writeSync(1, bytes)); } catch {} };
process.stdin.once("data", (first) => {
  const token = first.toString().split("\n")[0];
  write(token + '{"t":"ready","version":"2.9.9"}\n');
  process.stdin.once("data", () => {
    const params = ${json};
    for (let id = 1; id <= 16; id += 1) write(token + '{"t":"call","id":' + id + ',"name":"take","params":{"data":' + params + "}}\n");
    write(token + '{"t":"done"}\n');
  });
});`;

/** The delay of the loop, and the processor time between its turns: the delay on a machine that does nothing else. */
async function delayOf(work: () => Promise<unknown>): Promise<readonly [delay: number, busy: number]> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const turns: number[] = [];
  let last = process.threadCpuUsage();
  const ticks = setInterval(() => {
    const now = process.threadCpuUsage();
    turns.push((now.user + now.system - last.user - last.system) / 1e3);
    last = now;
  }, 1);
  delay.enable();
  await work();
  delay.disable();
  clearInterval(ticks);
  return [
    delay.percentile(99) / 1e6,
    turns.toSorted((one, other) => one - other)[Math.floor(turns.length * 0.99)] ?? 0,
  ];
}

const take = defineTool({
  name: "take",
  description: "Takes anything.",
  parameters: z.object({ data: z.any() }),
  execute: () => "taken",
});
const worst: number[] = [];
const busiest: number[] = [];
const idle: number[] = [];
for (const [name, json] of Object.entries(parameters)) {
  const runtime = new DenoRuntime({ prewarm: 0, wrap: () => [process.execPath, ["-e", sender(json)]] });
  const registry = registerCodeTool(createToolRegistry().register(take), { runtime });
  const found: (readonly [number, number])[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    idle.push((await delayOf(() => after(200)))[0]);
    const taken = name.startsWith("allowed");
    const run = async (): Promise<void> => {
      const result = await registry.dispatch("execute_code", { code: "1" });
      if (result.success !== taken || (!result.success && result.code !== "code_protocol"))
        throw new Error(`${name}: found ${result.toString()} ${JSON.stringify(result.metadata)}`);
    };
    found.push(await delayOf(run));
  }
  await runtime.close();
  console.log(`${name}: p99 ${found.map((pair) => pair.map((ms) => ms.toFixed(1)).join("/")).join(" ")} ms`);
  worst.push(median(found.map(([delay]) => delay)));
  busiest.push(median(found.map(([, busy]) => busy)));
}
metric("code.host.loop_delay_p99_ms", Math.max(...worst), "ms");
metric("code.host.loop_busy_p99_ms", Math.max(...busiest), "ms");
metric("code.host.loop_delay_idle_p99_ms", median(idle), "ms");
