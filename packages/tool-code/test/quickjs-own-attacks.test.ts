import { afterEach, describe, expect, test } from "vitest";
import type { CodeErrorKind, CodeExecution } from "../src/index.ts";
import { quickJs } from "./quickjs.ts";

const run = quickJs();
/** Small, so that the machine that runs the tests is not the one that runs out. */
const limits = { heapMb: 48, wallMs: 20_000 };
const calls: unknown[] = [];
const record = async (name: string, params: unknown): Promise<unknown> => {
  calls.push([name, params]);
  return { name };
};

afterEach(() => {
  calls.length = 0;
  if (Object.keys(Object.prototype).length > 0) throw new Error("The host's own prototypes were changed");
});

/** Steals functions of the sandboxed side by the places of a stack, and by all that inherits. */
const STEAL = `const stolen: any[] = [];
Error.prepareStackTrace = (_: any, sites: any[]) => { for (const site of sites) for (const of of ["getFunction", "getThis"]) try { const got = site[of]?.(); if (typeof got === "function" || typeof got === "object" && got) stolen.push(got); } catch {} return ""; };
const steal = () => { void new Error("x").stack; };
for (const target of [Promise.prototype, Array.prototype, Object.prototype, String.prototype, WeakSet.prototype, TextEncoder.prototype, Reflect, JSON, Function.prototype, Map.prototype]) for (const name of Object.getOwnPropertyNames(target)) try { const was = target[name]; if (typeof was === "function" && name !== "constructor") target[name] = function (...args: any[]) { steal(); for (const arg of [this, ...args]) if (typeof arg === "function") stolen.push(arg); return Reflect.apply(was, this, args); }; } catch {}
`;

describe("a program in QuickJS cannot change the host by", () => {
  test.each<readonly [name: string, code: string, value: unknown]>([
    ["a value with __proto__", 'return JSON.parse(\'{"__proto__": {"polluted": 1}, "a": 1}\')', { a: 1 }],
    ["the same in a list", 'return [JSON.parse(\'{"__proto__": {"polluted": 1}}\')]', [{}]],
    [
      "a field named constructor",
      "return { constructor: { prototype: { polluted: 1 } } }",
      { constructor: { prototype: { polluted: 1 } } },
    ],
    [
      "toJSON that gives something else",
      "return { toJSON: () => ({ ['__proto__']: { polluted: 1 }, a: 1 }) }",
      { a: 1 },
    ],
    ["toJSON of every object", "Object.prototype.toJSON = () => 'x'; return { a: 1 }", "x"],
    ["a getter", "return { get a() { return 1; } }", { a: 1 }],
    ["a getter that throws", "return { get a() { throw new Error('x'); } }", { a: expect.stringContaining("threw") }],
    ["Symbol.toPrimitive", "return { [Symbol.toPrimitive]: () => { throw 1; }, a: 1 }", { a: 1 }],
    ["a proxy", "return new Proxy({ a: 1 }, {})", { a: 1 }],
    [
      "a proxy of everything",
      "return new Proxy({}, { get: () => () => 1, ownKeys: () => ['a'], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) })",
      expect.anything(),
    ],
    ["a generator", "return (function* () { yield 1; yield 2; })()", [1, 2]],
    ["a value that settles as another", "return { then: (done: any) => done({ then: (again: any) => again(7) }) }", 7],
    ["a function", "return () => { throw new Error('x'); }", expect.anything()],
    ["text that is not Unicode", "return '\\ud800'.repeat(3)", "\ud800".repeat(3)],
  ])("%s", async (_, code, value) => {
    const outcome = await run(code, { limits });
    if (outcome.error === undefined) expect(outcome.value).toEqual(value);
    expect(JSON.stringify(outcome.value ?? null)).not.toContain("__proto__");
  });

  test.each<readonly [name: string, params: string, found: unknown]>([
    ["__proto__", 'JSON.parse(\'{"__proto__": {"polluted": 1}, "a": 1}\')', { a: 1 }],
    ["toJSON", "{ toJSON: () => ({ a: 1 }) }", { a: 1 }],
    ["a getter", "{ get a() { return 1; } }", { a: 1 }],
    ["a proxy", "new Proxy({ a: 1 }, {})", { a: 1 }],
  ])("parameters with %s", async (_, params, found) => {
    await run(`await __callTool__("x", ${params})`, { callTool: record, limits });
    expect(calls).toEqual([["x", found]]);
    expect(Reflect.ownKeys((calls as [string, object][])[0]?.[1] ?? {})).toEqual(["a"]);
  });
});

/** Programs that exceed a limit, and the kinds of error that may be reported as their end. */
const bombs: readonly (readonly [
  name: string,
  code: string,
  kinds: readonly CodeErrorKind[],
  more?: Partial<CodeExecution>,
])[] = [
  [
    "a list that becomes text",
    "return new Array(400_000_000) + ''",
    ["timeout", "memory"],
    { limits: { wallMs: 200 } },
  ],
  [
    "a search without end",
    "return 'a'.repeat(8e6).indexOf('a'.repeat(4e6) + 'b')",
    ["timeout", "memory"],
    { limits: { wallMs: 200 } },
  ],
  ["a regular expression", "return /(x+x+)+y/.test('x'.repeat(40))", ["timeout"], { limits: { wallMs: 200 } }],
  [
    "microtasks",
    "const f = (): any => Promise.resolve().then(f); await f()",
    ["timeout", "memory"],
    { limits: { wallMs: 200 } },
  ],
  [
    "a flood of promises",
    "for (;;) void Promise.resolve().then(() => 0)",
    ["memory", "timeout"],
    { limits: { heapMb: 24 } },
  ],
  ["a flood of rejections", "for (;;) void Promise.reject(1)", ["memory", "timeout"], { limits: { wallMs: 300 } }],
  ["a flood of timers", "for (;;) setTimeout(() => 0, 1e6)", ["memory", "timeout"], { limits: { wallMs: 300 } }],
  [
    "timers that make timers",
    "const f = () => { setTimeout(f, 0); setTimeout(f, 0); }; f(); await new Promise(() => {})",
    ["memory", "timeout"],
    { limits: { wallMs: 400 } },
  ],
  [
    "memory that is caught",
    "const a: any[] = []; for (;;) try { for (;;) a.push(new Uint8Array(1e6)); } catch {}",
    ["timeout"],
    { limits: { heapMb: 48, wallMs: 300 } },
  ],
  ["memory in a promise", "await 0; const a: any[] = []; for (;;) a.push({ k: 'v' })", ["memory"]],
  [
    "a value that grows while it is read",
    "return { get a() { return new Proxy([], { get: (_, k) => k === 'length' ? 2 ** 31 : 'x'.repeat(1000) }); } }",
    ["output", "timeout", "memory"],
    { limits: { wallMs: 500 } },
  ],
  ["a generator without end", "return (function* () { for (;;) yield 'x'; })()", ["output"]],
  ["a value that is too long", "return 'x'.repeat(20_000_000)", ["output", "memory"]],
  ["printing one long text", "console.log('x'.repeat(8e6))", ["output"]],
  ["printing without end", "for (;;) console.log('x')", ["output"], { limits: { outputBytes: 65_536 } }],
  [
    "printing without end in microtasks",
    "const f = (): any => { console.log('x'); return Promise.resolve().then(f); }; await f()",
    ["output", "memory", "runtime"],
    { limits: { ...limits, outputBytes: 65_536 } },
  ],
  ["an error without end", "throw new Error('x'.repeat(8e6))", ["runtime", "memory"]],
  [
    "an Error that throws while it is made",
    "Error.prepareStackTrace = () => { for (;;); }; throw new Error('x')",
    ["timeout", "runtime"],
    { limits: { wallMs: 200 } },
  ],
  ["deep brackets", `return ${"(".repeat(15_000)}1${")".repeat(15_000)}`, ["syntax", "runtime", "exit", "timeout"]],
  [
    "deep types",
    `let a: ${"Array<".repeat(7_000)}string${">".repeat(7_000)} = 1 as any; return a`,
    ["syntax", "runtime", "exit", "timeout"],
  ],
  [
    "a deep value",
    "let a: any = []; for (let i = 0; i < 100_000; i++) a = [a]; return JSON.stringify(a)",
    ["runtime", "timeout"],
    { limits: { wallMs: 500 } },
  ],
  [
    "a deep error",
    "let e: any = new Error('x'); for (let i = 0; i < 20_000; i++) e = new Error('x', { cause: e }); throw e",
    ["runtime", "memory"],
  ],
  ["recursion", "const f = (): any => f(); return f()", ["runtime"]],
  ["recursion in a proxy", "const p: any = new Proxy({}, { get: (_, k) => p[k] }); return p.x", ["runtime"]],
  ["waiting that nobody ends", "await new Promise(() => {})", ["runtime"]],
  ["Atomics", "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)", ["runtime"]],
  ["WebAssembly", "new WebAssembly.Memory({ initial: 1 })", ["runtime"]],
];

describe("a program in QuickJS is ended by a limit:", () => {
  test.each(bombs.map(([name, code, kinds, more = {}]) => ({ name, code, kinds, more })))(
    "$name",
    async ({ code, kinds, more }) => {
      const { ok, error, output } = await run(code, { limits, ...more });
      expect([ok, kinds.includes(error?.kind as CodeErrorKind) || error]).toEqual([false, true]);
      expect(output.length).toBeLessThanOrEqual(1_048_576);
      expect((error?.message ?? "").length).toBeLessThan(10_000);
      expect((await run("return 1")).value).toBe(1);
    },
  );
});

describe("a program in QuickJS does not reach its host", () => {
  test("by functions of the sandboxed side", async () => {
    const { value } = await run(
      `${STEAL}await __callTool__("x", { a: [1] }); console.log({ a: 1 });
const said: string[] = [];
for (const f of stolen.filter((f) => typeof f === "function")) try { said.push(String(Function.prototype.toString.call(f)).slice(0, 40)); f("call", '{"t":"call","id":9,"name":"forged","params":{"__proto__":{"polluted":1}}}'); f("done", '{"t":"done","value":{"__proto__":{"polluted":1}}}'); } catch {}
return said.length;`,
      { callTool: record, limits },
    );
    // The host counts and checks these calls like any call.
    expect(JSON.stringify(value ?? null)).not.toContain("polluted");
    for (const [, params] of calls as [string, object | undefined][])
      expect(Reflect.ownKeys(params ?? {})).not.toContain("__proto__");
  });

  test.each<readonly [name: string, code: string]>([
    [
      "names",
      "return Object.getOwnPropertyNames(globalThis).filter((name) => /^(?:host|process|Deno|Bun|std|os|bjson|scriptArgs|print|load|gc)$/.test(name) && name !== 'process')",
    ],
    [
      "what is left of process",
      "return Object.keys(process).filter((name) => !/^(?:env|argv|platform|cwd|hrtime|exit|exitCode)$/.test(name)).concat(Object.keys(process.env))",
    ],
    [
      "constructors",
      "return [(() => {}).constructor('return typeof Deno + typeof process?.binding')(), (async () => {}).constructor('return 1').name, eval('typeof Deno')].filter((found) => /object|function/.test(found))",
    ],
    [
      "paths in errors",
      "const said: string[] = []; try { await import('x') } catch (e) { said.push(e.stack, e.message) } try { null.x } catch (e) { said.push(e.stack) } try { new URL('x') } catch (e) { said.push(e.stack) } return said.filter((text) => /node_modules|file:|\\/src\\/|host\\.js/.test(text))",
    ],
    [
      "modules",
      "const said: string[] = []; for (const name of ['std', 'os', 'bjson', 'node:fs', 'fs', 'file:///etc/passwd', 'data:text/javascript,1', 'https://x.org', 'main.ts', 'host.js', '../x']) try { const found = await import(name); if (name !== 'main.ts') said.push(name + Object.keys(found)) } catch {} return said",
    ],
  ])("by %s", async (_, code) => {
    const { value, error } = await run(code, { limits });
    expect([error?.message, value]).toEqual([undefined, []]);
  });

  test("by calls after its end", async () => {
    await run(`setInterval(() => __callTool__("late", {}), 1); return 1`, { callTool: record, limits });
    await new Promise((done) => setTimeout(done, 50));
    expect(calls).toEqual([]);
  });

  test("by an answer that is too long for its memory", async () => {
    const { ok, error } = await run("const a: any[] = []; for (;;) a.push(await __callTool__('x', {}))", {
      callTool: async () => "x".repeat(4_000_000),
      limits,
    });
    expect([ok, error?.kind]).toEqual([false, "memory"]);
  });

  test("by parameters that block it", async () => {
    // In processor time of this thread, which others on the machine do not lengthen.
    const spentMs = (): number => {
      const { user, system } = process.threadCpuUsage();
      return (user + system) / 1_000;
    };
    let longest = 0;
    let before = spentMs();
    const timer = setInterval(() => {
      const now = spentMs();
      longest = Math.max(longest, now - before);
      before = now;
    }, 5);
    await run(
      "const list = Array.from({ length: 29_000 }, (_, i) => '\\n'.repeat(100)); for (let i = 0; i < 3; i++) await __callTool__('x', list)",
      {
        callTool: async () => 1,
      },
    );
    clearInterval(timer);
    expect(longest).toBeLessThan(1_000);
  });
});
