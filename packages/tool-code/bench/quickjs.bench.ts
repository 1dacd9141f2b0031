import { attackCases, NotOfferedError, plantSecrets } from "@dispatch/check";
// @boundaries-ignore benches measure in one way
import { median, metric } from "../../tools-interface/bench/measure.ts";
/** Measures a warm run of `QuickJsRuntime`, and counts the attacks that get out of it. Prints one line a figure. */
import { QuickJsRuntime } from "../src/quickjs/index.ts";
import { quickJsSubject } from "../test/quickjs-subject.ts";
import { ERROR_LINE_CASES } from "./error-lines/error-line-cases.ts";
import { errorPlace } from "./error-lines/error-place.ts";

const RUNS = 100;
const callTool = (_: string, params: unknown): Promise<unknown> => Promise.resolve(params);
const code = "const a: number = 1;\nreturn a + 1;";

function stubsOf(tools: number): string {
  return Array.from(
    { length: tools },
    (_, at) =>
      `async function tool_${at}(params: { a: string; b?: number }): Promise<{ ok: boolean }> {\n  return __callTool__("tool_${at}", params);\n}\n`,
  ).join("");
}

async function warmMs(runtime: QuickJsRuntime, stubs: string): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < RUNS; at += 1) {
    const started = performance.now();
    const { ok } = await runtime.execute({ code, stubs, callTool });
    if (!ok) throw new Error("Measuring a warm run: the program failed");
    times.push(performance.now() - started);
    // The next sandbox is made while nothing is asked for.
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return median(times);
}

async function measure(): Promise<void> {
  await using runtime = new QuickJsRuntime();
  await warmMs(runtime, "");
  for (const tools of [0, 100]) {
    const name = tools === 0 ? "quickjs.warm.p50_ms" : `quickjs.warm.tools_${tools}.p50_ms`;
    metric(name, await warmMs(runtime, stubsOf(tools)), "ms");
  }
  let lines = 0;
  for (const errorCase of ERROR_LINE_CASES) {
    const { wanted, found } = await errorPlace(runtime, errorCase);
    if (wanted.split(":")[0] === found.split(":")[0]) lines += 1;
  }
  metric("quickjs.error_line.same_line", lines, "cases");
  metric("quickjs.error_line.cases", ERROR_LINE_CASES.length, "cases");
}

async function countEscapes(): Promise<void> {
  const secrets = await plantSecrets();
  const subject = quickJsSubject(secrets);
  let escaped = 0;
  for (const { topic, name, run } of attackCases) {
    try {
      await run(subject);
    } catch (error) {
      if (NotOfferedError.isInstance(error)) continue;
      escaped += 1;
      console.log(`${topic}, ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  await subject.close();
  await secrets.close();
  metric("quickjs.attacks.escaped", escaped, "cases");
}

await measure();
await countEscapes();
