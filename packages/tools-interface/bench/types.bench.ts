import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buildPackage, packageDirectory, tsc } from "./built-package.ts";
import { median, metric } from "./measure.ts";
import { installPeers } from "./peers-directory.ts";

const TOOLS = 100;
/** Tools in one array, and the rounds of compiling them in turn with as many of the AI SDK. */
const ARRAY = 400;
const ROUNDS = 3;
const scratch = path.join(packageDirectory, "peers", "node_modules", ".types-bench");

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

/** Fields, output and context of its own for each tool: types that a compiler cannot reuse. */
const own = (index: number, input: string, output: string, more: string, result: string): string =>
  `{ ${more} description: "T.", ${input}: z.object({ path_${index}: z.string().min(1), mode: z.enum(["a", "b"]).default("a") }), ` +
  `${output}: z.object({ text_${index}: z.string() }), execute: ${result}({ path_${index} }) => ({ text_${index}: path_${index} }) }`;
const arrayOfOurs = (count: number, more: (index: number) => string): string =>
  `${head}export const registry = createToolRegistry().register([${many((index) => `defineTool(${own(index, "parameters", "output", `name: "tool_${index}", ${more(index)}`, "")}),\n`, count)}]);\n`;
const recordOfAiSdk = (count: number): string =>
  `import { z } from "zod";\nimport { tool } from "ai";\nexport const tools = {${many((index) => `tool_${index}: tool(${own(index, "inputSchema", "outputSchema", "", "async ")}),\n`, count)}};\n`;

interface Compiled {
  readonly instantiations: number;
  readonly seconds: number;
}

/** Compiles a program and returns the compiler's counts. */
function compile(source: string): Compiled {
  const file = path.join(scratch, "program.ts");
  writeFileSync(file, source);
  const flags = [
    "--strict",
    "--skipLibCheck",
    "--noEmit",
    "--ignoreConfig",
    "--singleThreaded",
    "--module",
    "nodenext",
    "--target",
    "es2023",
    "--typeRoots",
    path.join(packageDirectory, "..", "..", "node_modules", "@types"),
    "--types",
    "node",
  ];
  const report = execFileSync(process.execPath, [tsc, ...flags, "--extendedDiagnostics", file], {
    cwd: packageDirectory,
    encoding: "utf8",
  });
  return {
    instantiations: Number(/Instantiations:\s+(\d+)/.exec(report)?.[1]),
    seconds: Number(/Total time:\s+([\d.]+)s/.exec(report)?.[1]),
  };
}

const instantiations = (source: string): number => compile(source).instantiations;

/** How many times longer one program takes to compile than the other: the median of rounds. */
function timesLonger(source: string, floor: string): number {
  return median(Array.from({ length: ROUNDS }, () => compile(source).seconds / compile(floor).seconds));
}

/** The cost of one of many: the fixed part of the program cancels out. */
const perTool = (program: (count: number) => string): number =>
  (instantiations(head + program(TOOLS)) - instantiations(head + program(1))) / (TOOLS - 1);

installPeers();
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
  // The types of a program that dispatches by name, less those of the same without these calls.
  metric(
    "types.dispatch_by_name",
    perTool((count) => dispatched(count, byName)) - perTool((count) => dispatched(count, () => '""')),
    "count",
  );
  const aiSdk = recordOfAiSdk(ARRAY);
  metric(
    "types.array_400.vs_ai_sdk",
    timesLonger(
      arrayOfOurs(ARRAY, () => ""),
      aiSdk,
    ),
    "x",
  );
  const context = (index: number): string => `context: z.object({ key_${index % 10}: z.string() }),`;
  metric("types.array_400_with_context.vs_ai_sdk", timesLonger(arrayOfOurs(ARRAY, context), aiSdk), "x");
} finally {
  rmSync(scratch, { recursive: true });
}
