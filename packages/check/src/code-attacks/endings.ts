import { setTimeout as after } from "node:timers/promises";
import { attackCase, type AttackCase } from "./attack-case.ts";

const node = (name: string): string => `process.getBuiltinModule("node:${name}")`;

/** Work that a program leaves running when it returns. Each would call a tool soon after. */
const later: readonly (readonly [name: string, program: string])[] = [
  ["a timer", `setTimeout(() => __callTool__("late", {}), 20);\nreturn 1;`],
  ["a timer that is not waited for", `Deno.unrefTimer(setTimeout(() => __callTool__("late", {}), 20));\nreturn 1;`],
  [
    "a chain of timers",
    `const f = () => { setTimeout(f, 5); void __callTool__("late", {}); };\nsetTimeout(f, 20);\nreturn 1;`,
  ],
  [
    "a promise",
    `void (async () => { await new Promise((done) => setTimeout(done, 20)); await __callTool__("late", {}); })();\nreturn 1;`,
  ],
  ["the event of its end", `addEventListener("unload", () => void __callTool__("late", {}));\nreturn 1;`],
  [
    "the event of its end by Node.js",
    `process.on("exit", () => void __callTool__("late", {}));\nprocess.on("beforeExit", () => void __callTool__("late", {}));\nreturn 1;`,
  ],
  [
    "a server of its own thread",
    `${node("worker_threads")}.setEnvironmentData?.("x", 1);\nsetInterval(() => __callTool__("late", {}), 20);\nreturn 1;`,
  ],
  ["what is collected", `new FinalizationRegistry(() => __callTool__("late", {})).register({}, 1);\nreturn 1;`],
];

/** Ways to end that are not a return. */
const ends: readonly (readonly [name: string, program: string])[] = [
  ["Deno.exit", `Deno.exit(0);`],
  ["process.exit", `process.exit(0);`],
  ["process.abort", `process.abort();`],
  ["process.reallyExit", `(process as any).reallyExit(0);`],
  ["closing its own output", `Deno.stdout.close();\nreturn 1;`],
  ["closing its own input", `Deno.stdin.close();\nawait new Promise(() => {});`],
  [
    "closing descriptors",
    `for (let fd = 0; fd < 60; fd++) try { ${node("fs")}.closeSync(fd); } catch {}\nawait new Promise((done) => setTimeout(done, 20));\nreturn 1;`,
  ],
  [
    "reading what is meant for the runtime",
    `void Deno.stdin.read(new Uint8Array(9));\nawait __callTool__("x", {});\nreturn 1;`,
  ],
  ["a stack without end", `const f = (): any => f();\nreturn f();`],
  ["a stack without end in JSON", `let a: any = [];\nfor (let i = 0; i < 100_000; i++) a = [a];\nreturn a;`],
];

/** Things that are thrown, to make the host stumble over them. */
const thrown: readonly (readonly [name: string, value: string])[] = [
  ["nothing", `undefined`],
  ["null", `null`],
  ["a symbol", `Symbol("x")`],
  [
    "a proxy that throws",
    `new Proxy({}, { get() { throw new Error("trap"); }, has() { throw new Error("trap"); }, getPrototypeOf() { throw new Error("trap"); } })`,
  ],
  [
    "an error whose name throws",
    `Object.defineProperty(new Error("x"), "name", { get() { throw new Error("trap"); } })`,
  ],
  [
    "an error whose message throws",
    `Object.defineProperty(new Error("x"), "message", { get() { throw new Error("trap"); } })`,
  ],
  [
    "an error whose stack throws",
    `Object.defineProperty(new Error("x"), "stack", { get() { throw new Error("trap"); } })`,
  ],
  ["an error whose cause is itself", `(() => { const e: any = new Error("x"); e.cause = e; return e; })()`],
  [
    "an error whose message is an object",
    `Object.defineProperty(new Error("x"), "message", { value: { toString() { throw new Error("trap"); } } })`,
  ],
  ["an error of 10 MB", `new Error("x".repeat(10_000_000))`],
  [
    "an error with the stack of the host",
    `Object.assign(new Error("x"), { stack: "Error: x\\n    at file:///etc/passwd:1:1" })`,
  ],
  ["a promise", `Promise.reject(new Error("x"))`],
  ["a function", `() => { throw new Error("trap"); }`],
  [
    "an error that asks for a tool",
    `Object.defineProperty(new Error("x"), "message", { get() { void __callTool__("thrown", {}); return "x"; } })`,
  ],
];

/** A program goes on after its end, or ends so that the host stumbles. */
export const endingCases: readonly AttackCase[] = [
  ...later.map(([name, program]) =>
    attackCase("endings", `going on by ${name}`, async (trial) => {
      const outcome = await trial.record(program);
      const before = trial.calls.length;
      await after(100);
      trial.expect(trial.calls.length === before, "no call after the end", trial.calls);
      trial.expect(outcome.ok && outcome.value === 1, "the value it returned", outcome);
    }),
  ),
  ...ends.map(([name, program]) =>
    attackCase("endings", name, async (trial) => {
      const { ok, value, error } = await trial.record(program, { limits: { wallMs: 500 } });
      trial.expect(ok === (error === undefined), "a success or an error", { ok, value, error });
    }),
  ),
  ...thrown.map(([name, value]) =>
    attackCase("endings", `throwing ${name}`, async (trial) => {
      const { error } = await trial.denied(`throw ${value};`, ["runtime"], { limits: { wallMs: 20_000 } });
      trial.expect(
        typeof error?.message === "string" && error.message.length <= 10_000,
        "a text of moderate size",
        error,
      );
    }),
  ),
];
