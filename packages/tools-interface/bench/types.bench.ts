import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buildPackage, folder, tsc } from "./built-package.ts";
import { metric } from "./measure.ts";

const TOOLS = 100;
const scratch = path.join(folder, "node_modules", ".types-bench");

const head = 'import { z } from "zod";\nimport { createToolRegistry, defineTool } from "@dispatch/tools-interface";\n';
const schema =
  'z.object({ path: z.string().min(1), line: z.number().int().optional(), mode: z.enum(["a", "b"]).default("a"), tags: z.array(z.string()).optional() })';
const plain = (index: number): string =>
  `export const schema${index} = ${schema};\nexport const run${index} = ({ path }: z.infer<typeof schema${index}>): string => path;\n`;
const tool = (index: number): string =>
  `export const tool${index} = defineTool({ name: "tool_${index}", description: "T.", parameters: ${schema}, execute: ({ path }) => path });\n`;
const many = (make: (index: number) => string, count: number): string =>
  Array.from({ length: count }, (_, index) => make(index)).join("");
const dispatched = (count: number): string =>
  `${many(tool, count)}export const registry = createToolRegistry().register([${many((index) => `tool${index}, `, count)}]);\n` +
  many((index) => `export const result${index} = registry.dispatch("tool_${index}", { path: "a" });\n`, count);

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
    cwd: folder,
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
  metric("types.instantiations_per_dispatched_tool", perTool(dispatched), "count");
} finally {
  rmSync(scratch, { recursive: true });
}
