import { attackCase, type AttackCase } from "./attack-case.ts";

const node = (name: string): string => `process.getBuiltinModule("node:${name}")`;

/** Each tries to change the planted directory, `OUT`, or the one above its own, `..`. */
const writes: readonly (readonly [name: string, program: string])[] = [
  ["Deno.writeTextFile", `Deno.writeTextFileSync("OUT/new.txt", "x");`],
  ["a path that climbs", `Deno.writeTextFileSync("../new.txt", "x");`],
  ["overwriting", `Deno.writeTextFileSync("OUT/secret.txt", "x");`],
  ["appending by node:fs", `${node("fs")}.appendFileSync("OUT/secret.txt", "x");`],
  [
    "a stream of node:fs",
    `const s = ${node("fs")}.createWriteStream("OUT/new.txt");\nawait new Promise((done, fail) => { s.on("error", fail); s.end("x", done); });`,
  ],
  ["copying", `Deno.writeTextFileSync("a", "x");\nDeno.copyFileSync("a", "OUT/new.txt");`],
  ["renaming", `Deno.writeTextFileSync("a", "x");\nDeno.renameSync("a", "OUT/new.txt");`],
  ["renaming its own directory", `Deno.renameSync(Deno.cwd(), Deno.cwd() + "-moved");`],
  [
    "removing its own directory and making another",
    `Deno.removeSync(Deno.cwd(), { recursive: true });\nDeno.writeTextFileSync("../new.txt", "x");`,
  ],
  ["a hard link", `Deno.writeTextFileSync("a", "x");\nDeno.linkSync("a", "OUT/new.txt");`],
  ["removing", `Deno.removeSync("OUT/secret.txt");`],
  ["truncating", `Deno.truncateSync("OUT/secret.txt");`],
  ["another mode", `Deno.chmodSync("OUT/secret.txt", 0o666);`],
  ["another time", `Deno.utimeSync("OUT/secret.txt", 0, 0);`],
  ["a directory", `Deno.mkdirSync("OUT/new/er", { recursive: true });`],
  ["a temporary file", `Deno.makeTempFileSync({ dir: "OUT" });`],
  ["a temporary file whose name climbs", `Deno.makeTempFileSync({ dir: Deno.cwd(), prefix: "../../x" });`],
  ["mkdtemp of node:fs", `${node("fs")}.mkdtempSync("OUT/x");`],
  ["cp of node:fs", `Deno.mkdirSync("d");\n${node("fs")}.cpSync("d", "OUT/new", { recursive: true });`],
  ["node:sqlite", `new (${node("sqlite")}.DatabaseSync)("OUT/new.db").exec("create table t (x)");`],
  [
    "node:sqlite and ATTACH",
    `new (${node("sqlite")}.DatabaseSync)(":memory:").exec("attach 'OUT/new.db' as a; create table a.t (x)");`,
  ],
  [
    "node:sqlite and VACUUM INTO",
    `const d = new (${node("sqlite")}.DatabaseSync)("own.db");\nd.exec("create table t (x); vacuum into 'OUT/new.db'");`,
  ],
  [
    "a copy by node:sqlite",
    `const s = ${node("sqlite")}, d = new s.DatabaseSync("own.db");\nd.exec("create table t (x)");\nawait s.backup(d, "OUT/new.db");`,
  ],
  ["a heap snapshot", `${node("v8")}.writeHeapSnapshot("OUT/new.heap");`],
  ["a report", `process.report.writeReport("OUT/new.json");`],
  ["a socket in the file system", `Deno.listen({ transport: "unix", path: "OUT/new.sock" });`],
];

/** A file outside is made, changed or removed. */
export const writingCases: readonly AttackCase[] = [
  ...writes.map(([name, program]) =>
    attackCase("writing", name, (trial) => trial.attack(program.replaceAll("OUT", trial.secrets.directory))),
  ),
  attackCase("writing", "its own directory, although it may only read there", async (trial) => {
    trial.runtimeOptions = { ...trial.runtimeOptions, readOnly: true };
    await trial.denied(`Deno.writeTextFileSync("a", "x");`);
    await trial.denied(`${node("fs")}.mkdirSync("b");`);
  }),
  attackCase("writing", "anywhere without a directory of its own", async (trial) => {
    trial.runtimeOptions = { tempDir: trial.tempDir };
    await trial.denied(`Deno.writeTextFileSync("a", "x");`);
    await trial.denied(`Deno.makeTempFileSync();`);
  }),
];
