import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import {
  createToolRegistry,
  createTranscript,
  defineTool,
  failure,
  type AnyTool,
  type ToolResult,
  type ToolRun,
} from "../index.ts";

// What a test ended goes on for some turns, and counts until then.
afterEach(async () => {
  const leaf = defineTool({ name: "leaf", description: "Ends.", parameters: z.object({}), execute: () => "" });
  const registry = createToolRegistry({ maxRunningCalls: 100 }).register(leaf);
  while (!(await registry.dispatch("leaf", {})).success) await new Promise((resolve) => setImmediate(resolve));
});

type Again = (run: ToolRun, self: AnyTool, registry: ReturnType<typeof createToolRegistry>) => Promise<unknown>;

/** A tool that calls itself until its test is over, in the way that `body` says. */
function endless(body: (again: () => Promise<unknown>) => Promise<unknown>, how: Again, more: object = {}) {
  let isOver = false;
  const self: AnyTool = defineTool({
    name: "self",
    description: "Calls itself.",
    parameters: z.object({}),
    timeoutMs: 100,
    ...more,
    execute: (_, run) => (isOver ? "over" : body(() => how(run, self, registry))),
  });
  const registry = createToolRegistry({ maxDepth: 256 }).register(self);
  return { registry, self, end: () => (isOver = true) };
}

const WAYS: readonly (readonly [string, Again])[] = [
  ["its run", (run) => run.dispatch?.({ name: "self" }) ?? Promise.resolve()],
  ["the registry", (_run, _self, registry) => registry.dispatch({ name: "self" })],
  ["dispatchAll", (_run, _self, registry) => registry.dispatchAll([{ name: "self" }, { name: "self" }])],
  ["the tool", (_run, self) => self.call({})],
];
const BODIES: readonly (readonly [string, (again: () => Promise<unknown>) => Promise<unknown>])[] = [
  ["once", (again) => again()],
  ["once, later", async (again) => (await Promise.resolve(), again())],
  ["twice, one after the other", async (again) => (await again(), again())],
  ["twice, one after the other, later", async (again) => (await Promise.resolve(), await again(), again())],
  ["twice at the same time", (again) => Promise.all([again(), again()]).then(() => "ended")],
  [
    "ten times at the same time, later",
    async (again) => (await Promise.resolve(), Promise.all(Array.from({ length: 10 }, again)).then(() => "ended")),
  ],
];

describe.each(WAYS)("a tool that calls itself without end through %s", (_, how) => {
  test.each(BODIES)("%s, lets the event loop go on, and is answered when it is cancelled", async (_body, body) => {
    const { registry, end } = endless(body, how, { timeoutMs: 600_000 });
    const controller = new AbortController();
    // What has no end of its own ends only if the loop comes round so often.
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1) === 3 && controller.abort(), 3);
    const result = await registry.dispatch("self", {}, { signal: controller.signal });
    clearInterval(ticking);
    end();
    const code = result.success ? "success" : result.code;
    expect(["success", "cancelled", "depth_exceeded", "too_many_calls"]).toContain(code);
  });

  test("is answered when its time is over", async () => {
    const { registry, end } = endless(async (again) => (await Promise.resolve(), await again(), again()), how);
    const result = await registry.dispatch("self", {});
    end();
    expect(result).toMatchObject({ code: "timeout" });
  });
});

describe("calls of calls", () => {
  test("let the time of the call around them end, although each answers at once", async () => {
    const leaf = defineTool({ name: "leaf", description: "L.", parameters: z.object({}), execute: () => "leaf" });
    const over = new AbortController();
    const loop = defineTool({
      name: "loop",
      description: "Calls leaf for ever.",
      parameters: z.object({}),
      timeoutMs: 60,
      async execute(_, run) {
        while (!over.signal.aborted) await run.dispatch?.({ name: "leaf" });
        return "ended";
      },
    });
    const result = await createToolRegistry().register([leaf, loop]).dispatch("loop", {});
    over.abort();
    expect(result).toMatchObject({ code: "timeout" });
  });

  test("let it end when attempts are made again", async () => {
    const { registry, end } = endless(
      async (again) => {
        await again();
        throw new Error("not yet");
      },
      (_run, _self, own) => own.dispatch({ name: "self" }),
      { annotations: { readOnly: true }, retries: 10 },
    );
    const result = await registry.dispatch("self", {});
    end();
    expect(result).toMatchObject({ success: false });
  });

  /** A tool that makes so many calls at the same time, and answers how many of them ran, with the failures. */
  function many(count: number, options: object) {
    const open = Promise.withResolvers<string>();
    const failures: ToolResult[] = [];
    const leaf = defineTool({
      name: "leaf",
      description: "Waits.",
      parameters: z.object({}),
      execute: () => settled(open.promise),
    });
    let left = count;
    /** The leaves answer when each call has begun or was refused. */
    const settled = <T>(value: T): T => {
      left -= 1;
      if (left === 0) open.resolve("leaf");
      return value;
    };
    const parent = defineTool({
      name: "parent",
      description: "Calls leaf.",
      parameters: z.object({}),
      async execute(_, run) {
        const calls = Array.from({ length: count }, async () => {
          const result = await run.dispatch?.({ name: "leaf" });
          return result?.success === false ? settled(result) : result;
        });
        const results = (await Promise.all(calls)).filter((result) => result !== undefined);
        failures.push(...results.filter((result) => !result.success));
        return `${count - failures.length} ran`;
      },
    });
    return { registry: createToolRegistry(options).register([leaf, parent]), failures };
  }

  test("are refused where more of them are in flight than allowed, and recorded", async () => {
    const { registry, failures } = many(12, { maxNestedCalls: 10 });
    const transcript = createTranscript();
    expect(String(await registry.dispatch("parent", {}, { transcript }))).toBe("10 ran");
    expect(failures.map(String)).toEqual(
      Array(2).fill(
        "Cannot call leaf: 10 calls run in the call around it at the same time, no more are allowed. Nothing was done; wait for some of them first",
      ),
    );
    expect(failures[0]).toMatchObject({ code: "too_many_calls", effects: "none", stopped: true });
    expect(transcript.entries.filter(({ name }) => name === "leaf")).toHaveLength(12);
  });

  test("are as many as a program of some thousands needs", async () => {
    const { registry, failures } = many(5_000, {});
    const ran = Number.parseInt(String(await registry.dispatch("parent", {})), 10);
    expect(ran).toBeLessThanOrEqual(4_096);
    expect(ran).toBeGreaterThan(3_500);
    expect(failures).toHaveLength(5_000 - ran);
  });

  test("do not count against calls of others", async () => {
    const leaf = defineTool({
      name: "leaf",
      description: "Waits.",
      parameters: z.object({}),
      execute: () => new Promise((resolve) => setTimeout(resolve, 20, "leaf")),
    });
    const registry = createToolRegistry().register(leaf);
    const results = await Promise.all(Array.from({ length: 6_000 }, () => registry.dispatch("leaf", {})));
    expect(results.every(({ success }) => success)).toBe(true);
    const few = createToolRegistry({ maxRunningCalls: 3 }).register(leaf);
    // Calls that earlier tests left count until they end.
    const free = async () => {
      const three = await Promise.all(Array.from({ length: 3 }, () => few.dispatch("leaf", {})));
      return three.every(({ success }) => success);
    };
    await vi.waitUntil(free, { timeout: 60_000 });
    const refused = await Promise.all(Array.from({ length: 5 }, () => few.dispatch("leaf", {})));
    expect(refused.map((result) => result.success || result.code)).toEqual([
      true,
      true,
      true,
      "too_many_calls",
      "too_many_calls",
    ]);
    expect(await few.dispatch("leaf", {})).toMatchObject({ success: true });
  });

  test.each(["maxNestedCalls", "maxRunningCalls"])("refuse a limit below 1 as %s", (name) => {
    expect(() => createToolRegistry({ [name]: 0 })).toThrow(`${name} is 0, allowed are numbers from 1`);
  });
});

describe("a host of 256 MB", () => {
  test.each(["run twice late", "run wide", "once late", "twice late", "wide", "run unawaited"])(
    "outlives a tool that calls itself: %s",
    async (way) => {
      const script = new URL("__fixtures__/runaway-process.ts", import.meta.url).pathname;
      const args = ["--conditions=@dispatch/source", "--max-old-space-size=256", script, way];
      const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
      expect(JSON.parse(stdout)).toMatchObject({ hasTicked: true });
    },
    90_000,
  );
});

describe("a tool that awaits without end what starts no call", async () => {
  const run = async (way: string) => {
    const script = new URL("__fixtures__/runaway-process.ts", import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@dispatch/source", script, way], {
      timeout: 30_000,
      killSignal: "SIGKILL",
    });
    return JSON.parse(stdout) as unknown;
  };

  test.each((await run("")) as string[])(
    "is answered, and the event loop goes on: %s",
    async (way) => expect(await run(way)).toEqual({ code: "timeout", hasTicked: true }),
    60_000,
  );
});

describe("a check before a tool starts that calls the registry", () => {
  type Checks = (again: () => Promise<ToolResult>) => () => Promise<true>;
  const twice: Checks = (again) => async () => (await again(), await again(), true);
  const later: Checks = (again) => async () => (await Promise.resolve(), await again(), await again(), true);
  const PLACES = ["an approver", "the tool's own rule", "a policy", "a schema"] as const;

  test.each(PLACES.flatMap((place) => [[place, "at once", twice] as const, [place, "later", later] as const]))(
    "%s, %s, ends in bounded time, and the event loop goes on",
    async (place, _when, checks) => {
      let isOver = false;
      const check = checks(() => (isOver ? Promise.resolve(failure("over")) : again()));
      const self = defineTool({
        name: "self",
        description: "Is checked.",
        parameters: place === "a schema" ? z.object({}).refine(check) : z.object({}),
        timeoutMs: 100,
        needsApproval: place === "an approver" || (place === "the tool's own rule" && check),
        execute: () => "ran",
      });
      const policy = async () => (await check(), { decision: "allow" as const, rules: [] });
      const registry = createToolRegistry(place === "a policy" ? { policy } : {}).register(self);
      let open = 0;
      const again = (): Promise<ToolResult> => {
        open += 1;
        return registry.dispatch("self", {}, { approve: check, approvalTimeoutMs: 100 }).finally(() => (open -= 1));
      };
      let ticks = 0;
      const ticking = setInterval(() => (ticks += 1), 3);
      const result = await again();
      clearInterval(ticking);
      isOver = true;
      // The calls in flight count for those of later tests too.
      await vi.waitUntil(() => open === 0, { timeout: 20_000 });
      expect(result.success || ["timeout", "denied", "too_many_calls"].includes(result.code)).toBe(true);
      expect(ticks).toBeGreaterThan(0);
    },
  );
});

test("a call of a quiet host runs at once, however many ran in earlier turns of the event loop", async () => {
  let ran = 0;
  const leaf = defineTool({ name: "leaf", description: "Ends.", parameters: z.object({}), execute: () => (ran += 1) });
  const registry = createToolRegistry().register(leaf);
  for (let turn = 1; turn <= 300; turn += 1) {
    const pending = registry.dispatch("leaf", {});
    expect(ran).toBe(turn);
    await pending;
    await new Promise((resolve) => setImmediate(resolve));
  }
});

test("a call is answered though its observer makes one for each call that starts", async () => {
  let isOver = false;
  const leaf = defineTool({ name: "leaf", description: "Ends.", parameters: z.object({}), execute: () => "" });
  const registry = createToolRegistry().register(leaf);
  const onEvent = ({ type }: { readonly type: string }) => {
    if (type === "call-start" && !isOver) void registry.dispatch("leaf", {}, { onEvent });
  };
  const result = await registry.dispatch("leaf", {}, { onEvent });
  isOver = true;
  expect(result).toMatchObject({ code: "too_many_calls" });
});
