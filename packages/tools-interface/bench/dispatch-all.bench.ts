import { createToolRegistry, createTranscript, defineTool, type AnyTool, type ToolAnnotations } from "../src/index.ts";
import { median, metric } from "./measure.ts";

/** Rounds of one measurement; the median is reported. */
const ROUNDS = 5;
const CALLS = 10_000;

function toolOf(name: string, annotations?: ToolAnnotations): AnyTool {
  return defineTool({
    name,
    description: "Answers.",
    parameters: { type: "object", properties: { n: { type: "integer" } } },
    ...(annotations && { annotations }),
    execute: async () => "done",
  }) as AnyTool;
}

/** Milliseconds of one run; the median of some. */
async function milliseconds(work: () => unknown): Promise<number> {
  const all: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    await work();
    all.push(performance.now() - start);
  }
  return median(all);
}

const registry = createToolRegistry().register([toolOf("write"), toolOf("read", { readOnly: true })]);
const callsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `call_${n}`, name, arguments: { n } }));
const writes = callsOf("write", CALLS);
const reads = callsOf("read", 5 * CALLS);

const inParallel = (calls: typeof writes) =>
  milliseconds(() => Promise.all(calls.map((call) => registry.dispatch(call))));
const inOrder = (calls: typeof writes) => milliseconds(() => registry.dispatchAll(calls));
metric("dispatch_all.10k.vs_promise_all", (await inOrder(writes)) / (await inParallel(writes)), "x");
metric("dispatch_all.50k_reads.vs_promise_all", (await inOrder(reads)) / (await inParallel(reads)), "x");
metric(
  "dispatch_all.10k_recorded",
  await milliseconds(() => registry.dispatchAll(writes, { transcript: createTranscript() })),
  "ms",
);

const tools = Array.from({ length: CALLS }, (_, index) => toolOf(`tool_${index}`));
const names = tools.map(({ name }) => name);
const registerOneByOne = () => {
  const large = createToolRegistry();
  for (const tool of tools) large.register(tool);
  return large;
};
metric("register.10k_ms", await milliseconds(registerOneByOne), "ms");
const large = registerOneByOne();
metric("subset.10k_ms", await milliseconds(() => large.subset(...names)), "ms");
