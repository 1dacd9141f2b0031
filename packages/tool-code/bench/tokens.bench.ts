/**
 * Counts the tokens that tasks bring into a model's context when tools are called one by one and when one program calls
 * them. The traces are fixed and no model takes part: how well a model writes programs, and how often it corrects one,
 * is not measured. Every tool and every program really runs. A task counts the model's output (calls, or the program)
 * and its input (results) once, although every further turn sends it again. The description of `execute_code` counts in
 * full in every task done by a program. Prints one METRIC line per figure.
 */
import type { ToolResult } from "@dispatch/tools-interface";
// @boundaries-ignore benches measure in one way
import { metric } from "../../tools-interface/bench/measure.ts";
import { DenoRuntime } from "../src/deno/index.ts";
import { registerCodeTool } from "../src/index.ts";
import { tokenCounter } from "./tokens/count-tokens.ts";
import { shopRegistry } from "./tokens/shop-tools.ts";
import { COMPOSITION_TASKS, SINGLE_CALL_TASKS, type Call, type Task } from "./tokens/tasks.ts";

const { name: tokenizer, count } = await tokenCounter();
const runtime = new DenoRuntime();
const plain = shopRegistry();
const registry = registerCodeTool(shopRegistry(), { runtime });
const [definitions, withCode] = [plain, registry].map((each) => count(JSON.stringify(each.toModelTools())));
const description = (withCode ?? 0) - (definitions ?? 0);

async function cost(from: { dispatch(call: object): Promise<ToolResult> }, [name, params]: Call): Promise<number> {
  const result = await from.dispatch({ name, arguments: params });
  if (!result.success) throw new Error(`${name} failed: ${result.error}`);
  return count(name) + count(JSON.stringify(params)) + count(result.toString());
}

async function total(from: Parameters<typeof cost>[0], calls: readonly Call[]): Promise<number> {
  let sum = 0;
  for (const call of calls) sum += await cost(from, call);
  return sum;
}

/** Tokens of both ways, summed over tasks. */
async function compare(tasks: readonly Task[]): Promise<{ readonly direct: number; readonly code: number }> {
  let [direct, code] = [0, 0];
  for (const { name, calls, program } of tasks) {
    const [one, other] = [await total(plain, calls), await total(registry, [["execute_code", { code: program }]])];
    console.log(`${name}: ${one} direct, ${other} by a program`);
    direct += one;
    code += other + description;
  }
  return { direct, code };
}

const large = await compare(COMPOSITION_TASKS.filter(({ isLarge }) => isLarge));
const small = await compare(COMPOSITION_TASKS.filter(({ isLarge }) => !isLarge));
const byProgram = await compare(SINGLE_CALL_TASKS);
let [before, after] = [0, 0];
for (const { calls } of SINGLE_CALL_TASKS) {
  before += await total(plain, calls);
  after += await total(registry, calls);
}
await runtime.close();

console.log(`Counted with ${tokenizer}`);
metric("code.tokens.description", description, "tokens");
metric("code.tokens.saved", 1 - large.code / large.direct, "share");
metric("code.tokens.saved_small_data", 1 - small.code / small.direct, "share");
// All thirty tasks in one conversation, where a description stands once.
const inOne = description + large.code + small.code - COMPOSITION_TASKS.length * description + after;
metric("code.tokens.saved_in_one_conversation", 1 - inOne / (large.direct + small.direct + before), "share");
// Single calls are made directly, as the description says: their cost is unchanged, apart from the description itself.
metric("code.tokens.single_call_overhead", after / before, "x");
const all = SINGLE_CALL_TASKS.length * (definitions ?? 0);
metric(
  "code.tokens.single_call_with_definitions",
  (all + after + SINGLE_CALL_TASKS.length * description) / (all + before),
  "x",
);
metric(
  "code.tokens.single_call_by_program",
  (byProgram.code - SINGLE_CALL_TASKS.length * description) / byProgram.direct,
  "x",
);
