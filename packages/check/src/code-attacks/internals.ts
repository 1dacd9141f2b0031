import path from "node:path";
import { pathToFileURL } from "node:url";
import { attackCase, type AttackCase } from "./attack-case.ts";
import { asBlob } from "./ways-to-load.ts";

const vm = `const vm = process.getBuiltinModule("node:vm");`;
/** The runtime's own decoder of errors quotes the line an error comes from, wherever a source map or a name says. */
const decode = "Deno[Deno.internal].core.destructureError(e).sourceLine";

/** Properties that Deno's modules give its inner object, some of them when a program loads the module. */
const INNER_NAMES =
  "__setupChildProcessIpcChannel __initCluster __initWorkerThreads __isWorkerThread __inspectorNetwork kKeyObject children filename closeIdleConnections nodeProcessUnhandledRejectionCallback nodeProcessRejectionHandledCallback serveHttpOnListener serveHttpOnConnection resourceForReadableStream readableStreamForRid writableStreamForRid __telemetry".split(
    " ",
  );

/** `URL` stands for the address of the file, `MAP` for a source map that names it. */
const attacks: readonly (readonly [name: string, program: string])[] = [
  [
    "the decoder of errors, by a source map of its own",
    `try { null.x; } catch (e) { return ${decode}; }\n//# sourceMappingURL=MAP`,
  ],
  [
    "the decoder of errors, by the source map of another module",
    `return (await import(${asBlob(`export default () => { try { null.x } catch (e) { return ${decode} } }\n//# sourceMappingURL=MAP`)})).default();`,
  ],
  [
    "the decoder of errors, by the name of a script",
    `${vm}\ntry { vm.runInThisContext("null.x", { filename: "URL" }); } catch (e) { return ${decode}; }`,
  ],
  [
    "the decoder of errors, by the name of a new context",
    `${vm}\ntry { vm.runInNewContext("null.x", {}, { filename: "URL" }); } catch (e) { return ${decode}; }`,
  ],
  [
    "the decoder of errors in a worker",
    `const w = new Worker(${asBlob(`const f = () => { try { null.x } catch (e) { return ${decode} } }; postMessage(f());\n//# sourceMappingURL=MAP`)}, { type: "module" });\nreturn await new Promise((done) => { w.onmessage = (e) => done(e.data); });`,
  ],
  [
    "the decoder of errors in a worker of Node.js",
    `const { Worker } = process.getBuiltinModule("node:worker_threads");\nconst w = new Worker(${JSON.stringify(`const vm = require("vm"); try { vm.runInThisContext("null.x", { filename: "URL" }) } catch (e) { require("worker_threads").parentPort.postMessage(${decode}) }`)}, { eval: true });\nreturn await new Promise((done) => w.on("message", done));`,
  ],
  [
    "a worker whose class is built around",
    `const { Worker } = process.getBuiltinModule("node:worker_threads");\nconst { EventEmitter } = process.getBuiltinModule("node:events");\ntry { Object.setPrototypeOf(Worker, EventEmitter); } catch {}\nconst w = Reflect.construct(Worker, [${JSON.stringify(`require("worker_threads").parentPort.postMessage(require("fs").readFileSync(new URL("URL"), "utf8"))`)}, { eval: true }], EventEmitter);\nreturn await new Promise((done) => EventEmitter.prototype.on.call(w, "message", done));`,
  ],
  [
    "an uncaught error that the runtime prints",
    `${vm}\nsetTimeout(() => vm.runInThisContext("null.x", { filename: "URL" }));\nawait new Promise((done) => setTimeout(done, 50));`,
  ],
  [
    "an uncaught error while the runtime prints one",
    `${vm}\nObject.defineProperty(ErrorEvent.prototype, "error", { get() { return vm.runInThisContext("null.x", { filename: "URL" }); } });\nsetTimeout(() => { throw 1; });\nawait new Promise(() => {});`,
  ],
  ["an error that the program throws", `${vm}\nvm.runInThisContext("null.x", { filename: "URL" });`],
  [
    "an error that the console prints",
    `${vm}\ntry { vm.runInThisContext("null.x", { filename: "URL" }); } catch (e) { console.log(e, Deno.inspect(e)); console.error(e); }`,
  ],
  [
    "a failing test of node:test",
    `${vm}\nprocess.getBuiltinModule("node:test")("x", () => { vm.runInThisContext("null.x", { filename: "URL" }); });\nawait new Promise((done) => setTimeout(done, 50));`,
  ],
  [
    "the places of a stack",
    `${vm}\nError.prepareStackTrace = (e, sites) => sites.map((s) => s.getFileName() + s.toString());\ntry { vm.runInThisContext("null.x", { filename: "URL" }); } catch (e) { return e.stack; }`,
  ],
  [
    "names of inner operations",
    `const found = [];\nfor (const of of [globalThis, Deno, process] as any[]) for (const k of ["core", "__bootstrap", "internal", "binding", "_linkedBinding", "ops"]) try { found.push(String(of[k]?.("fs")?.readFileUtf8?.(new URL("URL").pathname) ?? of[k]?.ops?.op_fs_read_file_text_sync?.(new URL("URL").pathname, undefined, 0))); } catch {}\nreturn found;`,
  ],
];

/**
 * Calls on getters, iterators and every kind of callback, and collects the contexts, call sites and resources it finds.
 */
const seek = `const { builtinModules, createRequire } = process.getBuiltinModule("node:module");
const vm = process.getBuiltinModule("node:vm"), { createHook, executionAsyncResource } = process.getBuiltinModule("node:async_hooks");
const seen = new Set(), queue: any[] = [], hits: string[] = [], counts = { sites: 0, resources: 0 };
const push = (value: any, path: string) => { if (((typeof value === "object" && value !== null) || typeof value === "function") && !seen.has(value)) { seen.add(value); queue.push([value, path]); } };
push(globalThis, "globalThis"); push(vm.runInNewContext("globalThis"), "another context");
for (const name of builtinModules) { const id = name.startsWith("node:") ? name : "node:" + name; try { push(await import(id), id); push(createRequire("file:///x.js")(id), id); } catch {} }
addEventListener("unhandledrejection", (e) => { e.preventDefault(); e.stopImmediatePropagation(); });
const usual = Error.prepareStackTrace;
Error.prepareStackTrace = (error, sites: any[]) => { for (const site of sites) { counts.sites += 1; for (const part of ["getThis", "getFunction", "getEvalOrigin"]) try { push(site[part](), "a call site's " + part + " in " + site.getFunctionName()); } catch {} push(site, "a call site"); } return sites; };
const look: any = function (...args: any[]) { for (const arg of args) push(arg, "an argument"); push(this, "this"); void new Error("").stack; };
const sloppy: any = (0, eval)("(function f() { return [f.caller, f.arguments, arguments.callee.caller]; })");
const called: any = (...args: any[]) => { look(...args); try { push(sloppy(), "a caller"); } catch {} return ""; };
const hook = createHook({ init: (id, type, by, resource) => { counts.resources += 1; push(resource, "a resource " + type); called(); }, before: called, after: called, destroy: called, promiseResolve: called }).enable();
push(executionAsyncResource(), "the running resource");
const { EventEmitter } = process.getBuiltinModule("node:events"), fs = process.getBuiltinModule("node:fs"), stream = process.getBuiltinModule("node:stream");
const toText = { toString: called, toJSON: called, valueOf: called, [Symbol.toPrimitive]: called, [Symbol.for("Deno.customInspect")]: called, [Symbol.for("nodejs.util.inspect.custom")]: called };
for (const work of [
  () => setTimeout(called), () => setImmediate(called), () => queueMicrotask(called), () => process.nextTick(called), () => Promise.resolve().then(called),
  () => [1].map(called), () => JSON.stringify(toText), () => Deno.inspect(toText), () => String(toText), () => new URL(toText as any), () => structuredClone({ get a() { return called(); } }),
  () => new EventEmitter().on("a", called).emit("a"), () => { const t = new EventTarget(); t.addEventListener("a", called); t.dispatchEvent(new Event("a")); },
  () => fs.readFile("/x", called), () => fs.readFile(toText as any, called), () => fetch(toText as any), () => new Request("http://x/", { get body() { return called(); } }),
  () => new ReadableStream({ start: called, pull: called }), () => new stream.Readable({ read: called }).on("data", called).resume(),
  () => vm.runInThisContext("(f) => f()")(called), () => vm.runInNewContext("f(); g", { f: called, get g() { return called(); } }), () => new vm.Script(toText as any),
  () => vm.runInNewContext("new Proxy({}, { get: f }).x", { f: called }), () => Reflect.construct(called, []), () => new Intl.NumberFormat({ get 0() { return called(); }, length: 1 } as any),
  () => Deno.readTextFileSync("/etc/passwd"), () => Deno.readTextFile("/x").catch(called), () => process.emit("x" as any), () => console.log(toText), () => performance.mark("a", { detail: toText }),
]) try { const made: any = work(); push(made, "a result"); made?.catch?.((e: any) => push(e, "an error")); } catch (e) { push(e, "an error"); }
await new Promise((done) => setTimeout(done, 30));
hook.disable();
Error.prepareStackTrace = usual;
/** Said by Node's documentation: it takes a text. */
const allowed = ["op_node_parse_env"];
while (queue.length > 0) {
  const [object, path] = queue.pop();
  if (path.length > 400) continue;
  let keys: PropertyKey[] = []; try { keys = Reflect.ownKeys(object); } catch {}
  if (typeof object === "function") { const name = String(Reflect.getOwnPropertyDescriptor(object, "name")?.value); if (/^(?:op_|destructureError|loadExtScript|eventLoopHasMoreWork)/.test(name) && !allowed.includes(name)) hits.push(path + ": " + name); }
  if (ArrayBuffer.isView(object)) keys = keys.slice(-4);
  for (const key of keys) {
    if (["ops", "core", "internals", "primordials", "__bootstrap", "destructureError", "op_destructure_error", "loadExtScript", "eventLoopHasMoreWork"].includes(String(key))) hits.push(path + "." + String(key));
    const d = Reflect.getOwnPropertyDescriptor(object, key);
    if (d && "value" in d) push(d.value, path + "." + String(key));
    else if (d) { push(d.get, path); push(d.set, path); if (!/^std/.test(String(key))) try { push(Reflect.apply(d.get!, object, []), path + "." + String(key) + "()"); } catch (e) { push(e, path + "!"); } }
  }
  try { for (const inside of [Map.prototype.entries, Set.prototype.values]) push([...inside.call(object)], path + "[]"); } catch {}
  if (typeof object === "function") for (const key of ["caller", "arguments"]) try { push(object[key], path + "." + key); } catch {}
  try { push(Object.getPrototypeOf(object), path + ".__proto__"); } catch {}
}
return { hits, counts, objects: seen.size };`;

/** Returns the objects that the runtime's own modules hand to accessors of the program, as far as they lead further in. */
const accessors = `const met: any[] = [];
for (const name of ${JSON.stringify(INNER_NAMES)})
  for (const root of [Object.prototype, Function.prototype, Array.prototype])
    Object.defineProperty(root, name, { configurable: true, get() { met.push(this); return undefined; }, set(value) { met.push(this, value); Object.defineProperty(this, name, { value, writable: true, configurable: true }); } });
for (const name of process.getBuiltinModule("node:module").builtinModules) try { await import("node:" + name.replace("node:", "")); } catch {}
for (const owner of [globalThis, Deno] as any[]) for (const name of Reflect.ownKeys(owner)) try { owner[name]; } catch {}
return { met: met.length, inner: met.flatMap((each) => Object(each) !== each ? [] : ["core", "ops", "primordials", "loadExtScript", "destructureError"].filter((name) => Object.hasOwn(each, name))) };`;

/** A program reaches internals of the runtime, without needing a permission. */
export const internalCases: readonly AttackCase[] = [
  ...attacks.map(([name, program]) =>
    attackCase("internals", name, async (trial) => {
      const url = pathToFileURL(path.join(trial.secrets.directory, "secret.txt")).href;
      const map = JSON.stringify({ version: 3, sources: [url], names: [], mappings: "AAAA;AACA;AACA" });
      const inline = `data:application/json;base64,${Buffer.from(map).toString("base64")}`;
      await trial.attack(
        program.replaceAll("MAP", inline).replaceAll('"URL', `"${url}`).replaceAll('\\"URL', `\\"${url}`),
        { limits: { wallMs: 3_000 } },
      );
    }),
  ),
  attackCase("internals", "accessors that the runtime's own modules meet when they load", async (trial) => {
    const { value, error } = await trial.attack(accessors);
    const { met, inner } = (value ?? {}) as { readonly met?: number; readonly inner?: readonly string[] };
    trial.expect(inner?.length === 0 && met !== undefined && met > 0, "nothing inner to be met", value ?? error);
  }),
  attackCase("internals", "anything that can be reached from anything", async (trial) => {
    const { value, error } = await trial.attack(seek);
    const { hits, counts, objects } = (value ?? {}) as {
      readonly hits?: readonly string[];
      readonly counts?: { readonly sites: number; readonly resources: number };
      readonly objects?: number;
    };
    trial.expect(hits?.length === 0, "nothing inner to be found", hits ?? error);
    const { sites = 0, resources = 0 } = counts ?? {};
    trial.expect((objects ?? 0) > 3_000 && sites > 50 && resources > 3, "the search to get about", { objects, counts });
  }),
];
