import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buildPackage, packageDirectory, tsc } from "./built-package.ts";
import { metric } from "./measure.ts";

const TOOLS = 100;
const scratch = path.join(packageDirectory, "node_modules", ".types-bench");

const head = 'import { z } from "zod";\nimport { createToolRegistry, defineTool } from "@dispatch/tools-interface";\n';
const schema =
  'z.object({ path: z.string().min(1), line: z.number().int().optional(), mode: z.enum(["a", "b"]).default("a"), tags: z.array(z.string()).optional() })';
const plain = (index: number): string =>
  `export const schema${index} = ${schema};\nexport const run${index} = ({ path }: z.infer<typeof schema${index}>): string => path;\n`;
const tool = (index: number): string =>
  `export const tool${index} = defineTool({ name: "tool_${index}", description: "T.", parameters: ${schema}, execute: ({ path }) => path });\n`;
const many = (make: (index: number) => string, count: number): string =>
  Array.from({ length: count }, (_, index) => make(index)).join("");
/** Tools, a registry of all, and one dispatch for each: of a model's call, or by a name the compiler knows. */
const dispatched = (count: number, dispatch: (index: number) => string): string =>
  `${many(tool, count)}export const registry = createToolRegistry().register([${many((index) => `tool${index}, `, count)}]);\n` +
  many((index) => `export const result${index} = ${dispatch(index)};\n`, count);
const ofCall = (index: number): string => `registry.dispatch({ name: "tool_${index}", arguments: "{}" })`;
const byName = (index: number): string => `registry.dispatch("tool_${index}", { path: "a" })`;

/** Type instantiations that the compiler counts for a program. */
function instantiations(source: string): number {
  const file = path.join(scratch, "program.ts");
  writeFileSync(file, source);
  const flags = [
    "--strict",
    "--skipLibCheck",
    "--noEmit",
    "--ignoreConfig",
    "--module",
    "nodenext",
    "--target",
    "es2023",
    "--types",
    "node",
  ];
  const report = execFileSync(process.execPath, [tsc, ...flags, "--extendedDiagnostics", file], {
    cwd: packageDirectory,
    encoding: "utf8",
  });
  return Number(/Instantiations:\s+(\d+)/.exec(report)?.[1]);
}

/** What one of many costs: the fixed part of the program cancels out. */
const perTool = (program: (count: number) => string): number =>
  (instantiations(head + program(TOOLS)) - instantiations(head + program(1))) / (TOOLS - 1);

buildPackage();
mkdirSync(scratch, { recursive: true });
try {
  metric(
    "types.instantiations_per_schema",
    perTool((count) => many(plain, count)),
    "count",
  );
  metric(
    "types.instantiations_per_tool",
    perTool((count) => many(tool, count)),
    "count",
  );
  metric(
    "types.instantiations_with_registry",
    perTool((count) => dispatched(count, ofCall)),
    "count",
  );
  metric(
    "types.instantiations_with_registry_by_name",
    perTool((count) => dispatched(count, byName)),
    "count",
  );
} finally {
  rmSync(scratch, { recursive: true });
}
