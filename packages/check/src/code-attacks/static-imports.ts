import path from "node:path";
import { pathToFileURL } from "node:url";
import { attackCase, type AttackCase } from "./attack-case.ts";
import { asBlob } from "./ways-to-load.ts";

/** Modules that name the file at the top, where no code has run yet. `URL` stands for the directory's address. */
const modules: readonly (readonly [what: string, module: string])[] = [
  ["text", 'import s from "URL/secret.txt" with { type: "text" };\nexport default s;'],
  ["bytes", 'import s from "URL/secret.txt" with { type: "bytes" };\nexport default new TextDecoder().decode(s);'],
  ["JSON", 'import s from "URL/secret.json" with { type: "json" };\nexport default s;'],
  ["TypeScript", 'import * as s from "URL/secret.ts";\nexport default s.secret;'],
  ["what another module exports", 'export { default } from "URL/secret.ts";'],
];

/** Ways for a program to load such a module. */
const loads: readonly (readonly [where: string, program: (module: string) => string])[] = [
  ["a blob: module", (module) => `return (await import(${asBlob(module)})).default;`],
  [
    "a data: module",
    (module) =>
      `return (await import("data:application/typescript," + encodeURIComponent(${JSON.stringify(module)}))).default;`,
  ],
  [
    "a file it wrote",
    (module) =>
      `Deno.writeTextFileSync("made.ts", ${JSON.stringify(module)});\nreturn (await import("file://" + Deno.cwd() + "/made.ts")).default;`,
  ],
];

/** More that a module can say about others before it runs. */
const notes: readonly (readonly [what: string, program: string])[] = [
  [
    "a pragma of JSX",
    `Deno.writeTextFileSync("made.tsx", "/** @jsxImportSource URL */\\nexport default <a/>;");\nreturn String((await import("file://" + Deno.cwd() + "/made.tsx")).default);`,
  ],
  [
    "an import deferred",
    `Deno.writeTextFileSync("made.js", 'import defer * as s from "URL/secret.js"; export default s.secret;');\nreturn (await import("file://" + Deno.cwd() + "/made.js")).default;`,
  ],
  [
    "a module of WebAssembly it wrote, which imports",
    // (module (import "URL/secret.js" "secret" (global externref)) (export "default" (global 0)))
    `const name = "URL/secret.js", bytes = (s) => [s.length, ...new TextEncoder().encode(s)];
const section = (id, body) => [id, body.length, ...body];
const wasm = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, ...section(2, [1, ...bytes(name), ...bytes("secret"), 3, 0x6f, 0]), ...section(7, [1, ...bytes("leak"), 3, 0])]);
Deno.writeFileSync("made.wasm", wasm);
return String((await import("file://" + Deno.cwd() + "/made.wasm")).leak);`,
  ],
  [
    "an import map",
    `Deno.writeTextFileSync("deno.json", JSON.stringify({ imports: { evil: "URL/secret.ts" } }));\nreturn (await import("evil")).secret;`,
  ],
  [
    "a package that leads out",
    `Deno.mkdirSync("node_modules/evil", { recursive: true });\nDeno.writeTextFileSync("node_modules/evil/package.json", JSON.stringify({ name: "evil", main: "URL/secret.cjs".slice(7) }));\nreturn process.getBuiltinModule("node:module").createRequire("file://" + Deno.cwd() + "/x.js")("evil");`,
  ],
  [
    "a package that climbs out",
    `Deno.mkdirSync("node_modules/evil", { recursive: true });\nDeno.writeTextFileSync("node_modules/evil/package.json", JSON.stringify({ name: "evil", exports: "./../../../../../../../.." + "URL/secret.cjs".slice(7) }));\nreturn process.getBuiltinModule("node:module").createRequire("file://" + Deno.cwd() + "/x.js")("evil");`,
  ],
];

/** A file outside is imported by a module's static declarations, before it runs. */
export const staticImportCases: readonly AttackCase[] = [
  ...modules.map(([what, module]) =>
    attackCase("static imports", `${what} in the program`, (trial) =>
      trial.attack(inDirectory(module, trial.secrets.directory)),
    ),
  ),
  ...loads.map(([where, program]) =>
    attackCase(
      "static imports",
      `everything in ${where}`,
      (trial) =>
        trial.deniedAll(
          modules.map(([name, module]) => ({ name, body: program(inDirectory(module, trial.secrets.directory)) })),
        ),
      modules.length,
    ),
  ),
  ...notes.map(([what, program]) =>
    attackCase("static imports", what, (trial) => trial.attack(inDirectory(program, trial.secrets.directory))),
  ),
];

function inDirectory(code: string, directory: string): string {
  return code
    .replaceAll("URL/", pathToFileURL(path.join(directory, "x")).href.slice(0, -1))
    .replaceAll("URL ", `${pathToFileURL(directory).href} `);
}
