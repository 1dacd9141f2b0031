import { attackCase, type AttackCase } from "./attack-case.ts";

/** Builtins that a program replaces before it calls a tool. */
const replaced: readonly (readonly [name: string, code: string])[] = [
  [
    "JSON",
    `JSON.stringify = () => '{"t":"done","value":"forged"}';\nJSON.parse = () => ({ t: "result", id: 1, value: "forged" });`,
  ],
  [
    "Promise",
    `Promise.prototype.then = new Proxy(Promise.prototype.then, {});\nglobalThis.Promise = class extends Promise<any> {} as any;`,
  ],
  [
    "what every object inherits",
    `Object.defineProperty(Object.prototype, "id", { set() {}, get() { return 7; }, configurable: true });\nObject.assign(Object.prototype, { t: "done", value: "forged", get: () => 1, stream: true, type: "forged", error: 1 });`,
  ],
  [
    "how objects become JSON",
    `Object.assign(Object.prototype, { toJSON: () => ({ a: 1 }) });\nObject.assign(String.prototype, { toJSON: () => "forged" });\nObject.assign(Number.prototype, { toJSON: () => 7 });`,
  ],
  [
    "Symbol",
    `Object.defineProperty(Object.prototype, Symbol.toPrimitive, { value: () => "forged" });\nSymbol.prototype.toString = () => "forged";`,
  ],
  [
    "arrays",
    `Array.prototype.push = () => 0;\nArray.prototype.join = () => "forged";\nArray.prototype.map = () => [];\nArray.prototype[Symbol.iterator] = function* () { yield "forged"; } as any;`,
  ],
  [
    "numbered properties of arrays",
    `Object.defineProperty(Array.prototype, 0, { get: () => "forged", set() {}, configurable: true });\nObject.defineProperty(Object.prototype, 1, { get: () => "forged", set() {}, configurable: true });`,
  ],
  [
    "text",
    `String.prototype.slice = () => "forged";\nString.prototype.split = () => [];\nString.prototype.startsWith = () => true;\nString.prototype.replace = () => "forged";\nString.prototype.charCodeAt = () => 10;`,
  ],
  [
    "bytes",
    `Uint8Array.prototype.subarray = () => new Uint8Array(0) as any;\nTextEncoder.prototype.encode = () => new Uint8Array(0) as any;\nTextEncoder.prototype.encodeInto = () => ({ read: 0, written: 0 });\nTextDecoder.prototype.decode = () => "forged";\nUint8Array.prototype.indexOf = () => -1;\nUint8Array.prototype.set = () => {};`,
  ],
  [
    "Reflect and Function",
    `Reflect.apply = () => "forged";\nFunction.prototype.call = () => "forged";\nFunction.prototype.apply = () => "forged";\nFunction.prototype.bind = () => (() => "forged") as any;`,
  ],
  [
    "the runtime's own object",
    `try { Deno.stdout.writeSync = () => 0;\nDeno.stdin.read = async () => 0;\nDeno.inspect = () => "forged";\nDeno.exit = () => 0 as never; } catch {}`,
  ],
  [
    "Error",
    `(Error as any).prepareStackTrace = () => "forged";\nError.captureStackTrace = () => {};\nglobalThis.Error = class {} as any;`,
  ],
  [
    "maps and sets",
    `Map.prototype.get = () => "forged";\nMap.prototype.set = function () { return this; };\nWeakSet.prototype.has = () => true;\nWeakSet.prototype.add = () => { throw 1; };`,
  ],
  ["timers and microtasks", `globalThis.queueMicrotask = () => {};\nglobalThis.setTimeout = (() => 0) as any;`],
  [
    "iterators and generators",
    `Object.getPrototypeOf(function* () {}).prototype.next = () => ({ done: true, value: "forged" });\nObject.getPrototypeOf(async function* () {}).prototype.next = async () => ({ done: true, value: "forged" });`,
  ],
  [
    "Object",
    `Object.keys = () => [];\nObject.entries = () => [];\nObject.freeze = (x: any) => x;\nObject.getOwnPropertyDescriptor = () => undefined;\nObject.defineProperty = (x: any) => x;`,
  ],
];

const takeovers: readonly string[] = [
  `__callTool__ = (async () => "forged") as any;`,
  `(globalThis as any).__callTool__ = 1;`,
  `Object.defineProperty(globalThis, "__callTool__", { value: 1 });`,
  `if (!Reflect.deleteProperty(globalThis, "__callTool__")) throw new TypeError("kept");`,
];

/** Text that closes the code around a program early. */
const breaks: readonly (readonly [name: string, program: string])[] = [
  ["a body", `return 1 };\n{ globalThis.broken = true;`],
  ["an expression", `1); globalThis.broken = true; (1`],
  ["the functions that are appended", `return 1 }\nasync function x() { /*`],
  ["a comment", "return 1; /*"],
  ["a text", "return `"],
  ["a module", `export default 1; export { y as default };`],
  ["a line", "return 1 //\u2028 }"],
];

/** A program changes the objects it shares with the runtime: the call still reaches the host as it was made. */
export const builtinCases: readonly AttackCase[] = [
  ...replaced.map(([name, code]) =>
    attackCase("builtins", `replaced: ${name}`, async (trial) => {
      const outcome = await trial.record(
        `${code}\nconst answer: any = await __callTool__("x", { a: 1 });\nreturn answer.name;`,
      );
      trial.expect(
        JSON.stringify(trial.calls) === '[["x",{"a":1}]]',
        "exactly one call to reach the host",
        trial.calls,
      );
      trial.expect(outcome.ok && outcome.value === "x", "the host's answer", outcome);
    }),
  ),
  ...takeovers.map((code) =>
    attackCase("builtins", `replaced: the bridge, by ${code.slice(0, 40)}`, async (trial) => {
      const { error } = await trial.denied(code);
      trial.expect(/TypeError/.test(error?.message ?? ""), "a TypeError", error);
    }),
  ),
  ...breaks.map(([name, code]) =>
    attackCase("builtins", `broken out of: ${name}`, async (trial) => {
      const { error } = await trial.record(code);
      trial.expect(trial.calls.length === 0, "no call to reach the host", trial.calls);
      trial.expect(/syntax/.test(error?.kind ?? "syntax"), "a value or an error of syntax", error);
    }),
  ),
];
