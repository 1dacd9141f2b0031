import {
  type ToolCall,
  type ToolAnnotations,
  type AnyTool,
  type Tool,
  type ToolRun,
  type NestedDispatch,
  defineTool,
  type JsonSchema,
  type RegistryTypes,
  runTools,
  type LoopRun,
  type AnyToolRegistry,
  failure,
  success,
  type ToolResult,
  type InferOutput,
  type Schema,
  type AgentConversation,
  type AgentModel,
} from "@dispatch/tools-interface";
import { checkOptions, unlessAborted } from "@dispatch/tools-interface/internal";
import { AgentBudget, checkLimits, type AgentLimits } from "./agent-budget.ts";

/** Options of an agent. */
export interface AgentSpec<Registry extends AnyToolRegistry, Output extends Schema | undefined> {
  /** Name of the tool. */
  readonly name: string;
  /** Describes the agent's tasks to the model that calls it. */
  readonly description: string;
  /** Describes the agent and its way of working, for its own model. */
  readonly instructions: string;
  /** The model it runs on. */
  // oxlint-disable-next-line typescript/no-explicit-any -- only the model's own functions handle its answers
  readonly model: AgentModel<any>;
  /** The tools that it has, such as `registry.subset("read_file", "search_files")`. */
  readonly tools: Registry;
  /** Limits of one call. */
  readonly budget?: AgentLimits;
  /** Schema of its result, an object at its root. Default: its last answer, as text. */
  readonly output?: Output;
  /** Its effects, as far as its tools do not declare them. */
  readonly annotations?: ToolAnnotations;
}

type ContextOf<Registry> = Registry extends { readonly "~types"?: RegistryTypes<infer _, infer Context> }
  ? Context
  : unknown;

const DEFAULT_TIME_MS = 1_800_000;
const GIVE_RESULT = "give_result";
const PARAMETERS = {
  type: "object",
  properties: {
    task: { type: "string", description: "What to do, with all that has to be known for it", minLength: 1 },
  },
  required: ["task"],
  additionalProperties: false,
} as const;

/**
 * Creates a tool that is an agent: a model with tools of its own, which gets a task and answers a result. Its calls are nested
 * calls: they have its context, approver, transcript, policy and cancellation, and name it as their parent.
 *
 * In a durable call the agent survives its process: begun again, its model's answers and its calls come from their records, and a
 * call that waits for a person makes the agent wait as `approval_pending`. Otherwise its model reads that the call waits.
 *
 * @throws {RangeError} For a limit below 1.
 * @throws {InvalidToolError} As `defineTool`.
 *
 * @example
 * ```ts
 * const research = createAgentTool({
 *   name: "research",
 *   description: "Looks something up in the repository and reports it with its sources.",
 *   instructions: "You search code. Name files and lines.",
 *   model,
 *   tools: registry.subset("read_file", "search_files"),
 *   budget: { tokens: 100_000, calls: 40 },
 *   output: z.object({ answer: z.string(), files: z.array(z.string()) }),
 * });
 * ```
 */
export function createAgentTool<Registry extends AnyToolRegistry, Output extends Schema | undefined = undefined>(
  spec: AgentSpec<Registry, Output>,
): Tool<string, { task: string }, Output extends Schema ? InferOutput<Output> : undefined, ContextOf<Registry>> {
  const { name, description, budget: limits = {}, output, annotations } = spec;
  const attempt = `create the agent ${name}`;
  checkOptions(attempt, spec, {
    name: true,
    description: true,
    instructions: true,
    model: true,
    tools: true,
    budget: true,
    output: true,
    annotations: true,
  });
  checkOptions(attempt, limits, { tokens: true, calls: true, turns: true, depth: true, timeMs: true });
  checkLimits(name, limits);
  const giveResult =
    output &&
    defineTool({
      name: GIVE_RESULT,
      description: "Ends your work with its result. Call it once, when you are done.",
      parameters: output as unknown as JsonSchema,
      execute: (result) => success("The result was taken", { data: result, metadata: { stopLoop: true } }),
    });
  return defineTool({
    name,
    description,
    parameters: PARAMETERS,
    ...(output !== undefined && { output }),
    ...(annotations && { annotations }),
    timeoutMs: limits.timeMs ?? DEFAULT_TIME_MS,
    resumable: true,
    execute: ({ task }: { readonly task: string }, run: ToolRun) =>
      runAgent(spec as unknown as AnyAgentSpec, giveResult, task, run),
  } as never) as never;
}

type AnyAgentSpec = AgentSpec<AnyToolRegistry, Schema>;

async function runAgent(
  { name, instructions, model, tools, budget: limits = {} }: AnyAgentSpec,
  giveResult: AnyTool | undefined,
  task: string,
  run: ToolRun,
): Promise<ToolResult> {
  const { dispatch, durable, signal } = run;
  if (dispatch === undefined) return failure(`${name} cannot run: it was called without a registry`);
  const budget = new AgentBudget(limits, run.parents, run.asParent);
  const tooDeep = budget.exceeded();
  if (tooDeep !== undefined) return exhausted(name, tooDeep, budget, "none");
  const own = tools.subset(...tools.toolNames);
  const registry = giveResult === undefined ? own : own.register(giveResult);
  const conversation = model.begin({ instructions, task, registry });
  let turns = 0;
  let given: ToolResult | undefined;
  const ask = (): Promise<unknown> => {
    const turn = (turns += 1);
    run.progress({ message: `Turn ${turn}`, done: budget.calls });
    const asking = async (): Promise<unknown> => conversation.ask(signal);
    return unlessAborted(durable === undefined ? asking() : durable.step(`turn ${turn}`, asking), signal);
  };
  const dispatchAll = async (calls: readonly ToolCall[]): Promise<readonly ToolResult[]> => {
    const isResult = (call: ToolCall): boolean => giveResult !== undefined && call.name === GIVE_RESULT;
    const turn = `${run.effectId}/${turns}`;
    const agent = { dispatch, registry: tools, budget, turn, isDurable: durable !== undefined };
    const others = [
      ...(await runAgentCalls(
        calls.filter((call) => !isResult(call)),
        agent,
      )),
    ];
    const results: ToolResult[] = [];
    // `give_result` is no call of a tool: it needs no approval, and the agent's own result records it.
    for (const call of calls) results.push(isResult(call) ? await take(call) : (others.shift() as ToolResult));
    return results;
  };
  const take = async (call: ToolCall): Promise<ToolResult> => {
    const result = await registry.dispatch({ ...call, id: undefined });
    if (result.success) given = result;
    return result;
  };
  const loop = (): Promise<LoopRun<unknown>> =>
    runTools({ dispatchAll } as unknown as AnyToolRegistry, {
      ask,
      read: (answer: unknown) => {
        const turn = conversation.read(answer);
        budget.spend(turn.tokens);
        return turn;
      },
      add: conversation.add,
      signal,
      maxTurns: (limits.turns ?? 50) - turns,
      maxCutOffs: 1,
      onTurn: () => {
        const reason = budget.exceeded();
        if (reason !== undefined) throw new BudgetError(reason);
      },
    });
  try {
    let ended = await loop();
    if (ended.end === "done" && giveResult !== undefined && given === undefined) {
      conversation.say(`Call ${GIVE_RESULT} now, with your result.`);
      ended = await loop();
    }
    return resultOf(name, ended, { conversation, budget, given, needsGiven: giveResult !== undefined });
  } catch (thrown) {
    if (thrown instanceof AgentPending) return waiting(name);
    if (thrown instanceof BudgetError) return exhausted(name, thrown.message, budget, "possible");
    throw thrown;
  }
}

/** Some calls of an agent wait for a person, so the agent waits too. */
class AgentPending extends Error {
  override readonly name = "AgentPending";
}

/** Who makes the calls of a turn. */
interface CallingAgent {
  readonly dispatch: NestedDispatch;
  readonly registry: AnyToolRegistry;
  readonly budget: AgentBudget;
  /** Names the turn where the provider does not. */
  readonly turn: string;
  /** Whether the agent can go on from here in another process. */
  readonly isDurable: boolean;
}

/**
 * Runs the calls of one turn, in their order: those of tools that declare no changes at the same time, each other one alone.
 *
 * @throws {AgentPending} When a call waits for a person and the agent can go on later.
 */
async function runAgentCalls(calls: readonly ToolCall[], agent: CallingAgent): Promise<readonly ToolResult[]> {
  const { dispatch, registry, budget, isDurable } = agent;
  const results: ToolResult[] = [];
  let together: Promise<void>[] = [];
  const run = async (call: ToolCall, index: number): Promise<void> => {
    results[index] = budget.takeCall()
      ? await dispatch({ ...call, turn: call.turn ?? agent.turn }, { registry })
      : failure(`${call.name} was not called: the agent may make no more calls. Give your result now`, {
          code: "budget_exhausted",
          effects: "none",
        });
  };
  for (const [index, call] of calls.entries()) {
    const isAlone = !registry.has(call.name) || registry.get(call.name).declaresChanges;
    if (isAlone) {
      await Promise.all(together);
      together = [];
      await run(call, index);
    } else together.push(run(call, index));
  }
  await Promise.all(together);
  if (isDurable && results.some((result) => !result.success && result.code === "approval_pending")) {
    throw new AgentPending("calls of the agent wait for a person");
  }
  return results;
}

class BudgetError extends Error {
  override readonly name = "BudgetError";
}

interface Ending {
  readonly conversation: AgentConversation;
  readonly budget: AgentBudget;
  readonly given: ToolResult | undefined;
  readonly needsGiven: boolean;
}

function resultOf(
  name: string,
  ended: LoopRun<unknown>,
  { conversation, budget, given, needsGiven }: Ending,
): ToolResult {
  const { end, reason, answer } = ended;
  const metadata = usageOf(budget);
  if (given?.success) return success(JSON.stringify(given.data), { data: given.data, metadata });
  const text = answer === undefined ? "" : conversation.text(answer);
  if (end === "done" && !needsGiven) return success(text, { metadata });
  if (end === "max_turns") return exhausted(name, "its model was asked as often as allowed", budget, "possible");
  const why = needsGiven && end === "done" ? "it gave no result" : `it ended early, ${reason ?? end}`;
  return failure(`${name} did not finish: ${why}. It may have done part of its task`, {
    code: "agent_stopped",
    effects: "possible",
    metadata,
  });
}

function exhausted(name: string, reason: string, budget: AgentBudget, effects: "none" | "possible"): ToolResult {
  const advice = effects === "none" ? "Nothing was done" : "It may have done part of its task";
  return failure(`${name} did not finish: ${reason}. ${advice}`, {
    code: "budget_exhausted",
    effects,
    metadata: usageOf(budget),
  });
}

function waiting(name: string): ToolResult {
  return failure(`${name} waits: calls that it made wait for a person's approval. Do not call it again before that`, {
    code: "approval_pending",
    effects: "none",
  });
}

function usageOf({ tokens, calls, depth }: AgentBudget): { readonly agent: object } {
  return { agent: { tokens, calls, depth } };
}
