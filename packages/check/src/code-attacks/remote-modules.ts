import { attackCase, type AttackCase } from "./attack-case.ts";

const names: readonly string[] = [
  "npm:left-pad",
  "npm:left-pad@1.3.0/index.js",
  "jsr:@std/path",
  "https://example.invalid/a.ts",
  "http://127.0.0.1:PORT/a.js",
  "http://localhost:PORT/a.json",
  "left-pad",
  "deno:lint",
  "ext:core/ops",
  "internal:deno/core",
];

const ways: readonly (readonly [name: string, program: (module: string) => string])[] = [
  ["a static import", (module) => `import * as m from "${module}";\nexport default typeof m;`],
  ["an import()", (module) => `return typeof (await import("${module}"));`],
  ["a computed import()", (module) => `const n = ["${module}"].join("");\nreturn typeof (await import(n));`],
];

/** A module that is not the program's own is loaded, from a registry, the web or the inside of the runtime. */
export const remoteModuleCases: readonly AttackCase[] = [
  ...names.flatMap((name) =>
    ways.map(([way, program]) =>
      attackCase("remote modules", `${name} by ${way}`, (trial) =>
        trial.denied(program(inPort(name, trial.secrets.port))),
      ),
    ),
  ),
  attackCase("remote modules", "an import from a host that may be reached", async (trial) => {
    const { port } = trial.secrets;
    trial.runtimeOptions = { ...trial.runtimeOptions, allowedHosts: [`127.0.0.1:${port}`] };
    await trial.denied(`return typeof (await import("http://127.0.0.1:${port}/a.js"));`);
  }),
];

function inPort(name: string, port: number): string {
  return name.replaceAll("PORT", String(port));
}
