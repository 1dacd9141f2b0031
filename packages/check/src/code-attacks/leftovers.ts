import { readdirSync } from "node:fs";
import { attackCase, type AttackCase } from "./attack-case.ts";

/** Traces of one program, and how the next looks for them. Each look returns something only if it found a trace. */
const traces: readonly (readonly [name: string, leave: string, look: string])[] = [
  ["localStorage", `localStorage.setItem("mark", "1");`, `return localStorage.getItem("mark");`],
  ["sessionStorage", `sessionStorage.setItem("mark", "1");`, `return sessionStorage.getItem("mark");`],
  [
    "the Cache API",
    `await (await caches.open("a")).put("http://a/", new Response("mark"));`,
    `return (await caches.has("a")) || undefined;`,
  ],
  [
    "the database of Deno",
    `const kv = await (Deno as any).openKv();\nawait kv.set(["mark"], 1);`,
    `return (await (await (Deno as any).openKv()).get(["mark"])).value;`,
  ],
  ["a global name", `(globalThis as any).mark = 1;`, `return (globalThis as any).mark;`],
  ["a prototype", `(Object.prototype as any).mark = 1;`, `return ({} as any).mark;`],
  [
    "a module that was changed",
    `process.getBuiltinModule("node:path").mark = 1;`,
    `return process.getBuiltinModule("node:path").mark;`,
  ],
  [
    "a channel",
    `const c = new BroadcastChannel("x");\nc.onmessage = () => c.postMessage("mark");`,
    `const c = new BroadcastChannel("x");\nconst got = new Promise((done) => { c.onmessage = (e) => done(e.data); setTimeout(done, 100); });\nc.postMessage("?");\nreturn await got;`,
  ],
  [
    "the directory for temporary files",
    `Deno.writeTextFileSync(process.getBuiltinModule("node:os").tmpdir() + "/attack-mark", "1");`,
    `const mark = process.getBuiltinModule("node:os").tmpdir() + "/attack-mark", found = Deno.readTextFileSync(mark);\nDeno.removeSync(mark);\nreturn found;`,
  ],
];

/** A method of the Cache API takes any object for its own that has the marks of one. */
const marked = `const fake: any = Object.create(CacheStorage.prototype);
for (const mark of Object.getOwnPropertySymbols(crypto)) fake[mark] = (crypto as any)[mark];
await (await CacheStorage.prototype.open.call(fake, "x")).put("http://a/", new Response("mark"));
return "kept";`;

/** Something of one program is there for the next, or stays on the disk. */
export const leftoverCases: readonly AttackCase[] = [
  ...traces.map(([name, leave, look]) =>
    attackCase("leftovers", name, async (trial) => {
      await trial.attack(leave);
      const { value } = await trial.attack(look);
      trial.expect(value === undefined || value === null, "nothing of the program before", value);
      await trial.closeRuntime();
      const left = readdirSync(trial.tempDir, { recursive: true });
      trial.expect(left.length === 0, "nothing to be left on the disk", left);
    }),
  ),
  attackCase("leftovers", "the Cache API, by an object with the marks of one", (trial) => trial.denied(marked)),
  attackCase("leftovers", "a file of temporary size, while it runs", async (trial) => {
    trial.runtimeOptions = { tempDir: trial.tempDir };
    await trial.attack(
      `const s = process.getBuiltinModule("node:sqlite");\nconst d = new s.DatabaseSync("");\nd.exec("pragma temp_store = 1; create table t (x); insert into t values (zeroblob(1000000))");`,
    );
    await trial.closeRuntime();
    const left = readdirSync(trial.tempDir, { recursive: true });
    trial.expect(left.length === 0, "nothing to be left on the disk", left);
  }),
];
