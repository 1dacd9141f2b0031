import { attackCase, type AttackCase } from "./attack-case.ts";
import type { Attempt } from "./attempt.ts";
import { asBlob } from "./ways-to-load.ts";

/** How a program gets at a module: the same one each time, or a copy that was closed less well. */
const ways: readonly (readonly [name: string, get: (module: string) => string])[] = [
  ["getBuiltinModule()", (module) => `process.getBuiltinModule("node:${module}")`],
  ["import()", (module) => `await import("node:${module}")`],
  ["an import() in eval()", (module) => `await (0, eval)('import("node:${module}")')`],
  ["a static import", (module) => `await import(${asBlob(`export * from "node:${module}";`)})`],
  ["the default export", (module) => `(await import(${asBlob(`export { default } from "node:${module}";`)})).default`],
  ["require()", (module) => `process.getBuiltinModule("node:module").createRequire("file:///x.js")("${module}")`],
  ["Module._load()", (module) => `process.getBuiltinModule("node:module")._load("node:${module}")`],
  [
    "the harness's own import",
    (module) => `(await import("harness:modules"))[${JSON.stringify(module.replace("/", "_"))}]`,
  ],
  [
    "the loader of node:vm",
    (module) =>
      `await process.getBuiltinModule("node:vm").runInThisContext('import("node:${module}")', { importModuleDynamically: process.getBuiltinModule("node:vm").constants.USE_MAIN_CONTEXT_DEFAULT_LOADER })`,
  ],
];

/** A new one each time, because V8 keeps compiled code. */
const SOURCE = "`(() => 1)() // ${Math.random()}`";
/** A cache of which one byte of the compiled code is another. V8 checks the head of it alone. */
const PATCHED = `(() => { const bytes = new vm.Script(source).createCachedData(); bytes[bytes.length - 9] ^= 1; return bytes; })()`;
/** Anything: V8 is asked to load it. */
const MADE_UP = "new Uint8Array(64)";
/** Works when V8 was asked, and saw that it is none. */
const asked = (script: string): string =>
  `const { cachedDataRejected } = ${script}; if (cachedDataRejected !== true) throw 0; return true;`;
const polluted = (body: string): string =>
  `Object.prototype.cachedData = ${MADE_UP}; try { ${body} } finally { delete Object.prototype.cachedData; }`;

/** The module uses scripts of its own, and there any object is asked for its options. */
const repl = `const { PassThrough } = process.getBuiltinModule("node:stream");
const { eval: evaluate } = process.getBuiltinModule("node:repl").start({ input: new PassThrough(), output: new PassThrough(), useGlobal: true });
const error = await new Promise((done) => evaluate("1 + 1", globalThis, "x", done));
if (error) throw error; return "evaluated";`;

const caches: readonly (readonly [name: string, body: string])[] = [
  ["make one of a script", `return new vm.Script(${SOURCE}).createCachedData().length;`],
  ["make one at once", `return new vm.Script(${SOURCE}, { produceCachedData: true }).cachedData.length;`],
  [
    "make one of a function",
    `return vm.compileFunction(${SOURCE}, [], { produceCachedData: true }).cachedData.length;`,
  ],
  [
    "load a patched one",
    `const source = ${SOURCE}; return new vm.Script(source, { cachedData: ${PATCHED} }).cachedDataRejected;`,
  ],
  ["load one as a script", asked(`new vm.Script(${SOURCE}, { cachedData: ${MADE_UP} })`)],
  ["load one as a function", asked(`vm.compileFunction(${SOURCE}, [], { cachedData: ${MADE_UP} })`)],
  ["load one by createScript()", asked(`vm.createScript(${SOURCE}, { cachedData: ${MADE_UP} })`)],
  ["load one by a class of its own", asked(`new (class extends vm.Script {})(${SOURCE}, { cachedData: ${MADE_UP} })`)],
  [
    "load one by the constructor of a script",
    asked(`new (vm.createScript("1").constructor)(${SOURCE}, { cachedData: ${MADE_UP} })`),
  ],
  [
    "load one by a getter that changes its mind",
    `let reads = 0; ${asked(`new vm.Script(${SOURCE}, { get cachedData() { return (reads += 1) > 1 ? ${MADE_UP} : undefined; } })`)}`,
  ],
  ["load one by an inherited option", asked(`new vm.Script(${SOURCE}, Object.create({ cachedData: ${MADE_UP} }))`)],
  [
    "load one by an option of a proxy",
    `let reads = 0; ${asked(`new vm.Script(${SOURCE}, new Proxy({}, { get: (_, key) => key === "cachedData" && (reads += 1) > 1 ? ${MADE_UP} : undefined }))`)}`,
  ],
  ["load one by every object's prototype", polluted(asked(`new vm.Script(${SOURCE})`))],
  [
    "load one by every object's prototype, with options",
    polluted(asked(`new vm.Script(${SOURCE}, { lineOffset: 1 })`)),
  ],
  ["load one by every object's prototype, as a function", polluted(asked(`vm.compileFunction(${SOURCE}, [], {})`))],
  ["load one by every object's prototype, in node:repl", polluted(repl)],
  ["load one by every object's prototype, as a name", polluted(asked(`new vm.Script(${SOURCE}, "x.js")`))],
];

/** Each works when it does not throw. */
const engine: readonly (readonly [module: string, body: string])[] = [
  [
    "v8",
    `m.setFlagsFromString("--expose-gc"); return typeof process.getBuiltinModule("node:vm").runInNewContext("gc") === "function" ? 1 : (() => { throw 0; })();`,
  ],
  ["v8", `const s = m.getHeapSnapshot(); return typeof s.read;`],
  ["v8", `return m.queryObjects(Object, { format: "count" });`],
  ["v8", `return typeof m.startupSnapshot.isBuildingSnapshot();`],
  [
    "v8",
    `class D extends m.Deserializer { _readHostObject() { return {}; } } return typeof new D(m.serialize(1)).readValue;`,
  ],
  ["v8", `return typeof m.promiseHooks.onInit(() => {});`],
  ["inspector", `const s = new m.Session(); s.connect(); return 1;`],
  ["inspector/promises", `const s = new m.Session(); s.connect(); return 1;`],
  ["wasi", `return typeof new m.WASI({ version: "preview1", preopens: {} });`],
  ["trace_events", `m.createTracing({ categories: ["v8"] }).enable(); return 1;`],
  ["module", `return typeof m.registerHooks({ resolve: () => ({ url: "node:vm", shortCircuit: true }) });`],
  ["process", `return typeof m.binding("contextify");`],
];

const everyWay = (module: string, name: string, variable: string, body: string): readonly Attempt[] =>
  ways.map(([way, get]) => ({ name: `${name} by ${way}`, body: `const ${variable} = ${get(module)}; ${body}` }));

const attempts: Readonly<Record<string, readonly Attempt[]>> = {
  "making a code cache": caches.slice(0, 4).flatMap(([name, body]) => everyWay("vm", name, "vm", body)),
  "loading a code cache": caches.slice(4, 10).flatMap(([name, body]) => everyWay("vm", name, "vm", body)),
  "slipping in a code cache": caches.slice(10).flatMap(([name, body]) => everyWay("vm", name, "vm", body)),
  "flags, snapshots and debuggers": engine.flatMap(([module, body]) => everyWay(module, body, "m", body)),
};

/** A program asks the engine for abilities that would undo every limit inside it. */
export const engineCases: readonly AttackCase[] = Object.entries(attempts).map(([name, made]) =>
  attackCase("engine", name, (trial) => trial.deniedAll(made), made.length),
);
