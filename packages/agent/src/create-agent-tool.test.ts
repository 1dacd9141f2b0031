import {
  createToolRegistry,
  createTranscript,
  defineTool,
  failure,
  success,
  type AnyTool,
  type ApprovalRequest,
} from "@dispatch/tools-interface";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { scriptedAgent, type ScriptedAnswer, type Seen } from "./__fixtures__/scripted-agent.ts";
import { createAgentTool, type AgentLimits, type AgentSpec } from "./index.ts";

const echo = defineTool({
  name: "echo",
  description: "Echoes.",
  parameters: z.object({ text: z.string() }),
  context: z.object({ user: z.string() }),
  annotations: { readOnly: true },
  execute: ({ text }, { context }) => `${context.user} says ${text}`,
});
const context = { user: "Ada" };

function agent(
  answer: (seen: Seen) => ScriptedAnswer | Promise<ScriptedAnswer>,
  given: Partial<AgentSpec<never, undefined>> & { readonly budget?: AgentLimits } = {},
  tools: readonly AnyTool[] = [echo],
): AnyTool {
  const registry = createToolRegistry().register([...tools]) as never;
  const spec = {
    name: "helper",
    description: "Helps.",
    instructions: "Help.",
    model: scriptedAgent(answer),
    tools: registry,
  };
  return createAgentTool({ ...spec, ...given } as never) as AnyTool;
}

const calling = (name: string, params: unknown, id?: string): ScriptedAnswer => ({
  calls: [{ name, arguments: params, id }],
});

describe("createAgentTool()", () => {
  test("asks its model, runs its calls with the same context, and answers its last text", async () => {
    const tool = agent(({ turn, results, task }) =>
      turn === 0 ? calling("echo", { text: task }) : { text: `It ${results.join()}` },
    );
    const registry = createToolRegistry().register(tool);
    const transcript = createTranscript();
    const result = await registry.dispatch(
      { id: "outer", name: "helper", arguments: { task: "hello" } },
      { context, transcript },
    );
    expect(String(result)).toBe("It Ada says hello");
    expect(result.metadata).toEqual({ agent: { tokens: 20, calls: 1, depth: 1 } });
    expect(transcript.entries.map(({ name, parentCallId }) => [name, parentCallId])).toEqual([
      ["helper", undefined],
      ["echo", "outer"],
    ]);
  });

  test("gives its model the results of its calls whole, and hands them on to the transcript", async () => {
    const given = {
      repairs: [{ path: ["n"], kind: "decoded", message: "read as JSON" }] as const,
      ignored: [{ path: ["m"], meant: "n" }],
      metadata: { cents: 3 },
    };
    const results = [success("done", { ...given, data: [1] }), failure("no", { ...given, effects: "possible" })];
    const tools = results.map((result, index) =>
      defineTool({ name: `tool_${index}`, description: "Works.", parameters: z.object({}), execute: () => result }),
    );
    const seen: unknown[] = [];
    const calls = tools.map(({ name }) => ({ name, arguments: {} }));
    const answer = ({ turn, results: made }: Seen): ScriptedAnswer => (seen.push(...made), turn === 0 ? { calls } : {});
    const transcript = createTranscript();
    await createToolRegistry()
      .register(agent(answer, {}, tools))
      .dispatch({ name: "helper", arguments: { task: "work" } }, { context, transcript });
    expect(seen).toEqual(results);
    expect(transcript.entries.slice(1).map(({ result }) => result)).toEqual(results);
  });

  test("shows its approvals with the chain of agents, and the policy of the registry that calls it holds inside", async () => {
    const pay = defineTool({
      name: "pay",
      description: "Pays.",
      parameters: z.object({}),
      needsApproval: true,
      execute: () => "paid",
    });
    const inner = agent(
      ({ turn, results }) => (turn === 0 ? calling("pay", {}) : { text: results.join() }),
      { name: "inner" },
      [pay],
    );
    const outer = agent(
      ({ turn, results }) => (turn === 0 ? calling("inner", { task: "pay" }) : { text: results.join() }),
      {},
      [inner],
    );
    const asked: ApprovalRequest[] = [];
    const open = createToolRegistry().register(outer);
    const approve = (request: ApprovalRequest): boolean => asked.push(request) > 0;
    expect(String(await open.dispatch("helper", { task: "go" }, { approve }))).toBe("paid");
    expect(asked.map(({ parents }) => parents.map(({ name }) => name))).toEqual([["helper", "inner"]]);
    const policy = ({ name }: { readonly name: string }) =>
      ({ decision: name === "pay" ? "deny" : "allow", rules: ["no"] }) as const;
    const closed = createToolRegistry({ policy }).register(outer);
    expect(String(await closed.dispatch("helper", { task: "go" }, { approve }))).toContain("denied by policy (no)");
    expect(asked).toHaveLength(1);
  });

  test("gives a result by schema, repaired or asked for again, and fails without one", async () => {
    const output = z.object({ sum: z.number() });
    const result = (answers: readonly ScriptedAnswer[]) => {
      const tool = agent(({ turn }) => answers[turn] ?? { text: "no more" }, { output: output as never });
      return createToolRegistry().register(tool).dispatch("helper", { task: "add" }, { context });
    };
    const right = calling("give_result", { sum: 3 });
    expect(await result([right])).toMatchObject({ success: true, data: { sum: 3 }, output: '{"sum":3}' });
    expect(await result([calling("give_result", { sum: "x" }), right])).toMatchObject({ data: { sum: 3 } });
    expect(await result([{ text: "It is 3" }, right])).toMatchObject({ data: { sum: 3 } });
    expect(await result([{ text: "It is 3" }, { text: "3!" }])).toMatchObject({
      success: false,
      code: "agent_stopped",
    });
  });

  test.each<[string, AgentLimits, string]>([
    ["tokens", { tokens: 25 }, "30 tokens were used, allowed are 25"],
    ["turns", { turns: 4 }, "asked as often as allowed"],
  ])("stops at its budget of %s", async (_, budget, text) => {
    let asked = 0;
    const tool = agent(
      () => {
        asked += 1;
        return calling("echo", { text: "again" });
      },
      { budget },
    );
    const result = await createToolRegistry().register(tool).dispatch("helper", { task: "loop" }, { context });
    expect(result).toMatchObject({ success: false, code: "budget_exhausted" });
    expect(String(result)).toContain(text);
    expect(asked).toBe(budget.turns ?? 3);
  });

  test("makes no more calls than allowed, and counts those of agents inside", async () => {
    let ran = 0;
    const count = defineTool({
      name: "count",
      description: "Counts.",
      parameters: z.object({}),
      execute: () => String((ran += 1)),
    });
    const many: ScriptedAnswer = { calls: Array.from({ length: 5 }, () => ({ name: "count", arguments: {} })) };
    const inner = agent(({ turn, results }) => (turn === 0 ? many : { text: results.join("|") }), { name: "inner" }, [
      count,
    ]);
    const outer = agent(
      ({ turn }) => (turn < 3 ? calling("inner", { task: "count" }) : { text: "done" }),
      { budget: { calls: 7 } },
      [inner],
    );
    const result = await createToolRegistry().register(outer).dispatch("helper", { task: "x" });
    expect([ran, result.metadata]).toEqual([5, { agent: { tokens: 80, calls: 7, depth: 1 } }]);
  });

  test.each([-1e9, Number.NaN, "1" as never, null as never])(
    "has used up a limit of tokens at a report of %s",
    async (tokens) => {
      const answer = ({ turn }: Seen): ScriptedAnswer =>
        turn === 0 ? { ...calling("echo", { text: "x" }), tokens } : { text: "done" };
      const run = (budget: AgentLimits) =>
        createToolRegistry().register(agent(answer, { budget })).dispatch("helper", { task: "x" }, { context });
      const limited = agent(answer, { budget: { tokens: 1e6 } });
      const around = agent(
        ({ turn }) => (turn === 0 ? calling("helper", { task: "x" }) : { text: "done" }),
        {
          name: "around",
          budget: { tokens: 1e6 },
        },
        [limited],
      );
      expect(await run({ tokens: 1e6 })).toMatchObject({ success: false, code: "budget_exhausted" });
      expect(await run({})).toMatchObject({ success: true, output: "done" });
      const outer = await createToolRegistry().register(around).dispatch("around", { task: "x" }, { context });
      expect(outer).toMatchObject({ success: false, code: "budget_exhausted" });
    },
  );

  test("goes no deeper than each of the agents around allows, also through itself", async () => {
    const depths: number[] = [];
    const tools = createToolRegistry();
    const model = scriptedAgent(({ turn, results }) => {
      if (turn === 0) depths.push(depths.length + 1);
      return turn === 0 ? calling("helper", { task: "deeper" }) : { text: results.join() };
    });
    const self = createAgentTool({
      name: "helper",
      description: "x",
      instructions: "x",
      model,
      tools,
      budget: { depth: 3 },
    });
    tools.register(self);
    const result = await tools.dispatch("helper", { task: "x" });
    expect(depths).toHaveLength(3);
    expect(String(result)).toContain("it would be agent 4 inside of one another, allowed are 3");
  });

  test("without durable calls, its model reads that a call waits", async () => {
    const pay = defineTool({
      name: "pay",
      description: "Pays.",
      parameters: z.object({}),
      needsApproval: true,
      execute: () => "paid",
    });
    const tool = agent(({ turn, results }) => (turn === 0 ? calling("pay", {}) : { text: results.join() }), {}, [pay]);
    const approve = () => ({ approved: false, pending: true });
    const result = await createToolRegistry().register(tool).dispatch("helper", { task: "x" }, { approve });
    expect(String(result)).toContain("pay waits for a person's approval");
  });

  test("makes calls only within the bounds of nested calls, however far its own budget goes", async () => {
    const calls = Array.from({ length: 12 }, () => ({ name: "slow", arguments: {} }));
    let running = 0;
    let most = 0;
    const slow = defineTool({
      name: "slow",
      description: "Works.",
      parameters: z.object({}),
      async execute() {
        most = Math.max(most, (running += 1));
        await new Promise((resolve) => setTimeout(resolve, 20));
        running -= 1;
      },
    });
    const codes: unknown[] = [];
    const answer = ({ turn, results }: Seen): ScriptedAnswer => {
      codes.push(...results.map((result) => (result.success ? "ran" : result.code)));
      return turn === 0 ? { calls } : { text: "done" };
    };
    const registry = createToolRegistry({ maxNestedCalls: 5 }).register(agent(answer, {}, [slow]));
    expect(String(await registry.dispatch("helper", { task: "work" }, { context }))).toBe("done");
    expect([most, codes.length]).toEqual([5, 12]);
    expect(new Set(codes)).toEqual(new Set(["ran", "too_many_calls"]));
  });

  test("calls itself only as deep as the registry around it allows, and no timer is kept from firing", async () => {
    let asked = 0;
    let ticks = 0;
    const codes: unknown[] = [];
    const answer = ({ turn, results }: Seen): ScriptedAnswer => {
      asked += 1;
      codes.push(...results.flatMap((result) => (result.success ? [] : [result.code])));
      return turn < 2 ? { calls: [{ name: "self", arguments: { task: "go on" } }] } : { text: "done" };
    };
    const own = createToolRegistry();
    const self = createAgentTool({
      name: "self",
      description: "Calls itself.",
      instructions: "Call yourself.",
      model: scriptedAgent(answer),
      tools: own,
      budget: { depth: 1_000, calls: 100_000 },
    }) as AnyTool;
    own.register(self);
    const ticking = setInterval(() => (ticks += 1), 1);
    const result = await createToolRegistry({ maxDepth: 6 })
      .register(self)
      .dispatch("self", { task: "go" }, { context });
    clearInterval(ticking);
    expect(String(result)).toBe("done");
    expect(codes).toContain("depth_exceeded");
    // Two calls a level, seven levels.
    expect(asked).toBe(3 * (2 ** 7 - 1));
    expect(ticks).toBeGreaterThan(0);
  });

  test("ends everything when it is cancelled: models that do not listen, and tools at any depth", async () => {
    const stop = new AbortController();
    const ended: string[] = [];
    const begun = { slow: Promise.withResolvers<void>(), deaf: Promise.withResolvers<void>() };
    const slow = defineTool({
      name: "slow",
      description: "x",
      parameters: z.object({}),
      execute: (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => (ended.push("slow"), resolve("late")));
          begun.slow.resolve();
        }),
    });
    const deaf = agent(() => (begun.deaf.resolve(), new Promise<never>(() => {})), { name: "deaf" }, []);
    let tool: AnyTool = agent(() => ({ calls: [{ name: "slow", arguments: {} }] }), { name: "level1" }, [slow]);
    for (let level = 2; level <= 5; level += 1) {
      const inner = tool.name;
      tool = agent(() => calling(inner, { task: "x" }), { name: `level${level}` }, [tool]);
    }
    const registry = createToolRegistry().register([tool, deaf]);
    const running = ["level5", "deaf"].map(async (name) =>
      registry.dispatch(name, { task: "x" } as never, { signal: stop.signal }),
    );
    await Promise.all([begun.slow.promise, begun.deaf.promise]);
    stop.abort();
    for (const result of await Promise.all(running))
      expect(result).toMatchObject({ success: false, code: "cancelled" });
    expect(ended).toEqual(["slow"]);
  });

  test("runs calls of tools that change something alone and in order, and the others at the same time", async () => {
    const log: string[] = [];
    const toolOf = (name: string, readOnly: boolean): AnyTool =>
      defineTool({
        name,
        description: "x",
        parameters: z.object({}),
        annotations: { readOnly },
        execute: async () => {
          log.push(`${name} begins`);
          await new Promise((resolve) => setTimeout(resolve, 5));
          log.push(`${name} ends`);
          return name;
        },
      });
    const calls = ["read", "read", "write", "read"].map((name) => ({ name, arguments: {} }));
    const tool = agent(({ turn, results }) => (turn === 0 ? { calls } : { text: results.join() }), {}, [
      toolOf("read", true),
      toolOf("write", false),
    ]);
    const result = await createToolRegistry().register(tool).dispatch("helper", { task: "x" });
    expect(String(result)).toBe("read,read,write,read");
    expect(log.slice(0, 6)).toEqual([
      "read begins",
      "read begins",
      "read ends",
      "read ends",
      "write begins",
      "write ends",
    ]);
  });

  test.each<[AgentLimits]>([[{ tokens: 0 }], [{ depth: Number.NaN }], [{ timeMs: "1" as never }]])(
    "refuses a budget %j",
    (budget) => {
      expect(() => agent(() => ({ text: "" }), { budget })).toThrow(RangeError);
    },
  );

  test("fails as any tool when its model fails, and without a registry", async () => {
    const tool = agent(() => Promise.reject(new Error("overloaded")));
    expect(String(await createToolRegistry().register(tool).dispatch("helper", { task: "x" }, { context }))).toContain(
      "overloaded",
    );
    expect(String(await tool.call({ task: "x" }))).toContain("without a registry");
  });
});
