/** A way to get code to run: makes a program out of a body, the inside of an async function that returns something. */
export interface WayToLoad {
  /** How the code is loaded. */
  readonly name: string;
  /** The program. */
  readonly program: (body: string) => string;
}

const asExpression = (body: string): string => `(async () => { ${body} })()`;
/** A module whose default export is the body's return value. */
const asModule = (body: string): string => `export default await ${asExpression(body)};`;
const quoted = (text: string): string => JSON.stringify(text);
/** An expression that makes a `blob:` URL of a module. */
export const asBlob = (module: string, type = "application/javascript"): string =>
  `URL.createObjectURL(new Blob([${quoted(module)}], { type: ${quoted(type)} }))`;
const inWorker = (body: string): string =>
  `${asExpression(body)}.then((v) => postMessage({ v }), (e) => postMessage({ e: String(e) }));`;
const answerOf = (worker: string): string =>
  `const w = ${worker};\nreturn await new Promise((done) => { w.onmessage = (e) => done(e.data); w.onerror = (e) => { e.preventDefault?.(); done(String(e.message)); }; w.on?.("message", done); w.on?.("error", (e) => done(String(e))); });`;

/** The ways to get code to run that were thought of. */
export const waysToLoad: readonly WayToLoad[] = [
  { name: "a function body", program: (body) => body },
  { name: "an expression", program: asExpression },
  { name: "a module", program: asModule },
  { name: "a blob: module", program: (body) => `return (await import(${asBlob(asModule(body))})).default;` },
  {
    name: "a blob: module of TypeScript",
    program: (body) =>
      `return (await import(${asBlob(`enum E { A }\n${asModule(body)}`, "application/typescript")})).default;`,
  },
  {
    name: "a data: module",
    program: (body) =>
      `return (await import("data:application/javascript," + encodeURIComponent(${quoted(asModule(body))}))).default;`,
  },
  {
    name: "a data: module of TypeScript in base64",
    program: (body) =>
      `return (await import("data:application/typescript;base64," + btoa(${quoted(asModule(body))}))).default;`,
  },
  { name: "eval", program: (body) => `return await (0, eval)(${quoted(asExpression(body))});` },
  {
    name: "a function made of text",
    program: (body) => `return await (async () => {}).constructor(${quoted(body)})();`,
  },
  {
    name: "node:vm",
    program: (body) =>
      `import vm from "node:vm";\nexport default await vm.runInThisContext(${quoted(asExpression(body))}, { importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER });`,
  },
  {
    name: "the loader of CommonJS",
    program: (body) =>
      `const { Module } = process.getBuiltinModule("node:module");\nconst m = new Module("/x.js");\nm._compile("module.exports = " + ${quoted(asExpression(body))}, "/x.js");\nreturn await m.exports;`,
  },
  {
    name: "a file it wrote",
    program: (body) =>
      `Deno.writeTextFileSync("made.ts", ${quoted(asModule(body))});\nreturn (await import("file://" + Deno.cwd() + "/made.ts")).default;`,
  },
  {
    name: "a file of CommonJS it wrote",
    program: (body) =>
      `Deno.writeTextFileSync("made.cjs", "module.exports = " + ${quoted(asExpression(body))});\nreturn await process.getBuiltinModule("node:module").createRequire("file://" + Deno.cwd() + "/x.js")("./made.cjs");`,
  },
  { name: "a worker", program: (body) => answerOf(`new Worker(${asBlob(inWorker(body))}, { type: "module" })`) },
  {
    name: "a worker of Node.js",
    program: (body) =>
      `const threads = process.getBuiltinModule("node:worker_threads");\n${answerOf(
        `new threads.Worker(${quoted(`const { parentPort } = require("node:worker_threads"); globalThis.postMessage = (v) => parentPort.postMessage(v); ${inWorker(body)}`)}, { eval: true })`,
      )}`,
  },
  {
    name: "a timer",
    program: (body) =>
      `return await new Promise((done, fail) => setTimeout(() => ${asExpression(body)}.then(done, fail), 1));`,
  },
];
