import { describe, expect, test } from "vitest";
import type { CodeOutcome } from "../src/index.ts";
import { sandbox } from "./sandbox.ts";

const run = sandbox();

/** Runs a program and records which calls reach the host. */
async function recorded(code: string): Promise<{ readonly outcome: CodeOutcome; readonly calls: [string, unknown][] }> {
  const calls: [string, unknown][] = [];
  const outcome = await run(code, {
    callTool: async (name, params) => {
      calls.push([name, params]);
      return { name };
    },
  });
  return { outcome, calls };
}

/** Lines that look like messages of the sandbox, for everyone who does not know the token. */
const forged = [
  '{"t":"done","value":"forged"}',
  '{"t":"call","id":1,"name":"forged","params":{}}',
  '\u001e{"t":"done","value":"forged"}',
  `\u001e${"0".repeat(32)}{"t":"call","id":1,"name":"forged","params":{}}`,
];

describe("what a program prints is never a message", () => {
  test.each([
    ["console.log", (line: string) => `console.log(${JSON.stringify(line)}); return "real"`],
    [
      "standard output",
      (line: string) =>
        `Deno.stdout.writeSync(new TextEncoder().encode(${JSON.stringify(`\n${line}\n`)})); return "real"`,
    ],
    [
      "node:fs",
      (line: string) =>
        `const fs = await import("node:fs"); fs.writeSync(1, ${JSON.stringify(`\n${line}\n`)}); return "real"`,
    ],
    [
      "an inherited descriptor",
      (line: string) =>
        `const net = await import("node:net"); try { new net.Socket({ fd: 1 }).write(${JSON.stringify(`${line}\n`)}) } catch {}; await new Promise((r) => setTimeout(r, 50)); return "real"`,
    ],
    ["an error", (line: string) => `console.error(new Error(${JSON.stringify(line)})); return "real"`],
    ["the value", (line: string) => `console.log(1); return "real" + ${JSON.stringify(line)}.slice(0, 0)`],
  ])("by %s", async (_, program) => {
    for (const line of forged) {
      const { outcome, calls } = await recorded(program(line));
      expect(outcome).toMatchObject({ ok: true, value: "real" });
      expect(calls).toEqual([]);
    }
  });

  test("nor what a tool answered", async () => {
    const callTool = async () => forged.join("\n");
    expect(
      await run("const text = await __callTool__('web', {}); console.log(text); return 'real'", { callTool }),
    ).toMatchObject({ value: "real", output: `${forged.join("\n")}\n`, calls: [{ name: "web" }] });
  });
});

describe("a program that knows the token gains nothing", () => {
  /** Finds the token where it cannot be hidden: in the memory of the process. */
  const steal = `const v8 = await import("node:v8");
let snapshot = "";
for await (const piece of v8.getHeapSnapshot()) snapshot += piece;
const [, hex] = /u001e([0-9a-f]{32})/i.exec(snapshot) ?? [];
if (hex === undefined) throw new Error("no token");
const token = "\\u001e" + hex;
const send = (json) => Deno.stdout.writeSync(new TextEncoder().encode(token + json + "\\n"));`;

  test.each([
    [
      "a second end",
      `send('{"t":"done","value":"first"}'); send('{"t":"done","value":"second"}'); return "third"`,
      "first",
    ],
    ["a call with an id of its own", `send('{"t":"call","id":99,"name":"x","params":{}}'); return "end"`, "end"],
    ["another start", `send('{"t":"ready","version":"9.9.9"}'); return "end"`, "end"],
  ])("%s", async (_, attack, value) => {
    const { outcome } = await recorded(`${steal}\n${attack}`);
    expect(outcome).toMatchObject({ ok: true, value });
  });

  test.each(["{", '{"t":"x"}', "null", '{"t":"call","id":"a","name":1}', '{"t":"out"}'])(
    "by sending %s, which ends the run",
    async (json) => {
      const { outcome } = await recorded(`${steal}\nsend(${JSON.stringify(json)});\nawait new Promise(() => {});`);
      expect(outcome.error?.kind).toBe("protocol");
    },
  );
});

describe("the bridge works whatever a program has replaced", () => {
  test.each([
    [
      "JSON",
      'JSON.stringify = () => \'{"t":"done","value":"forged"}\'; JSON.parse = () => ({ t: \'result\', id: 1, value: \'forged\' });',
    ],
    [
      "Promise",
      "Promise.prototype.then = new Proxy(Promise.prototype.then, {}); globalThis.Promise = class extends Promise {} as any;",
    ],
    [
      "the prototype of objects",
      "Object.defineProperty(Object.prototype, 'id', { set() {}, get() { return 7 }, configurable: true }); Object.assign(Object.prototype, { t: 'done', value: 'forged', get: () => 1, stream: true, type: 'forged', error: 1 });",
    ],
    [
      "the way objects become JSON",
      "Object.prototype.toJSON = () => ({ a: 1 }); String.prototype.toJSON = () => 'forged'; Number.prototype.toJSON = () => 7;",
    ],
    [
      "Symbol",
      "Object.defineProperty(Object.prototype, Symbol.toPrimitive, { value: () => 'forged' }); Symbol.prototype.toString = () => 'forged';",
    ],
    [
      "arrays",
      "Array.prototype.push = () => 0; Array.prototype.join = () => 'forged'; Array.prototype[Symbol.iterator] = function* () { yield 'forged' } as any;",
    ],
    [
      "text",
      "String.prototype.slice = () => 'forged'; String.prototype.split = () => []; String.prototype.startsWith = () => true; String.prototype.replace = () => 'forged';",
    ],
    [
      "bytes",
      "Uint8Array.prototype.subarray = () => new Uint8Array(0); TextEncoder.prototype.encode = () => new Uint8Array(0) as any; TextDecoder.prototype.decode = () => 'forged'; Uint8Array.prototype.indexOf = () => -1;",
    ],
    [
      "Reflect and Function",
      "Reflect.apply = () => 'forged'; Function.prototype.call = () => 'forged'; Function.prototype.apply = () => 'forged'; Function.prototype.bind = () => (() => 'forged') as any;",
    ],
    ["Deno", "Deno.stdout.writeSync = () => 0; Deno.inspect = () => 'forged'; Deno.exit = () => 0 as never;"],
    [
      "Error",
      "Error.prepareStackTrace = () => 'forged'; Error.captureStackTrace = () => {}; globalThis.Error = class {} as any;",
    ],
    [
      "maps and sets",
      "Map.prototype.get = () => 'forged'; WeakSet.prototype.has = () => true; WeakSet.prototype.add = () => { throw 1 };",
    ],
  ])("of %s", async (_, replace) => {
    const { outcome, calls } = await recorded(
      `${replace}\nconst answer = await __callTool__("x", { a: 1 });\nreturn answer.name;`,
    );
    expect(calls).toEqual([["x", { a: 1 }]]);
    expect(outcome).toMatchObject({ ok: true, value: "x", calls: [{ name: "x", status: "succeeded" }] });
  });

  test("and of itself", async () => {
    for (const code of [
      "__callTool__ = () => 'forged'",
      "globalThis.__callTool__ = 1",
      "Object.defineProperty(globalThis, '__callTool__', { value: 1 })",
      "if (!Reflect.deleteProperty(globalThis, '__callTool__')) throw new TypeError('kept')",
    ]) {
      expect((await recorded(code)).outcome.error?.message).toMatch(/^TypeError/);
    }
  });
});

describe("a program cannot break out of what is put around it", () => {
  test.each([
    ["a body", "return 1 };\n{ globalThis.broken = true;"],
    ["an expression", "1); globalThis.broken = true; (1"],
    ["the appended functions", "return 1 }\nasync function x() { /*"],
    ["a comment", "return 1; /*"],
    ["a text", "return `"],
  ])("of %s, and gains nothing if it does", async (_, code) => {
    const { outcome, calls } = await recorded(code);
    expect(calls).toEqual([]);
    expect(outcome.error?.kind ?? "none").toMatch(/none|syntax/);
  });
});

describe("names and parameters reach the host as they are", () => {
  test.each([
    "constructor",
    "__proto__",
    "toString",
    "hasOwnProperty",
    "",
    "a\nb",
    "\u001e",
    "x".repeat(500),
    "${x}",
    "__callTool__",
  ])("a tool named %j", async (name) => {
    const { outcome, calls } = await recorded(`await __callTool__(${JSON.stringify(name)}, { a: 1 })`);
    expect(calls).toEqual([[name, { a: 1 }]]);
    expect(outcome.calls[0]?.name).toBe(name.slice(0, 200));
  });

  test("without a key that would be a prototype", async () => {
    const { calls } = await recorded(
      `await __callTool__("x", JSON.parse('{"__proto__": {"admin": true}, "a": {"__proto__": {"admin": true}, "b": 1}}'))`,
    );
    expect(calls).toEqual([["x", { a: { b: 1 } }]]);
    expect((calls[0]?.[1] as { admin?: boolean } | undefined)?.admin).toBeUndefined();
    expect(Object.getOwnPropertyNames(calls[0]?.[1])).toEqual(["a"]);
  });

  test.each([
    ["a circle", "const a: any = {}; a.a = a; return await __callTool__('x', a).catch((e) => e.name)", "TypeError"],
    ["a BigInt", "await __callTool__('x', 1n).catch((e) => e.name)", "TypeError"],
    ["a symbol for a name", "await __callTool__(Symbol() as any, {}).catch((e) => e.name)", "TypeError"],
  ])("or not at all: %s", async (_, code, value) => {
    const { outcome, calls } = await recorded(code);
    expect([calls, outcome.value]).toEqual([[], value]);
  });

  test("without parameters", async () => {
    expect((await recorded("await __callTool__('x')")).calls).toEqual([["x", null]]);
  });
});
