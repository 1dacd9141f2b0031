import { execFileSync, type ExecFileSyncOptions } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildPackage, packageDirectory } from "./built-package.ts";
import { median, metric } from "./measure.ts";
import { installPeers, runPeers } from "./peers-directory.ts";

/** Systems whose valid call is timed beside ours. */
const SYSTEMS = ["ai", "anthropic", "langchain", "mastra", "mcp", "openai_agents"];
/** Processes started for each side of the export; they take turns. */
const ROUNDS = 13;
const dist = new URL("../dist/index.js", import.meta.url);

const schemas = `const schemas = Array.from({ length: 100 }, () => z.object({
  path: z.string().min(1), start_line: z.number().int().optional(),
  mode: z.enum(["text", "bytes"]).default("text"), tags: z.array(z.string()).optional(),
}));`;
const timed = (work: string): string =>
  `{ const start = performance.now(); ${work} times.push(performance.now() - start); }`;
const program = (imports: string, ...works: readonly string[]): string =>
  `import { z } from "zod"; ${imports} ${schemas} const times = []; let registry; ${works.map(timed).join("")} console.log(JSON.stringify(times));`;
const ours = program(
  `import { createToolRegistry, defineTool } from ${JSON.stringify(dist.href)};`,
  `registry = createToolRegistry().register(schemas.map((parameters, index) =>
    defineTool({ name: "tool_" + index, description: "T.", parameters, execute: ({ path }) => path })));
   JSON.stringify(registry.toModelTools());`,
  "JSON.stringify(registry.toModelTools());",
);
const bare = program(
  "",
  'JSON.stringify(schemas.map((schema, index) => ({ name: "tool_" + index, description: "T.", input_schema: z.toJSONSchema(schema, { io: "input" }) })));',
);

/** Milliseconds of the works of a program in a fresh process. */
function milliseconds(source: string): readonly number[] {
  const args = ["--input-type=module", "-e", source];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: packageDirectory, encoding: "utf8" })) as number[];
}

/**
 * Packs the built package, installs it with npm in an empty directory, and counts the installed packages, itself
 * included, without zod.
 */
function countInstalled(): number {
  const target = mkdtempSync(path.join(tmpdir(), "dispatch-install-"));
  try {
    const quiet: ExecFileSyncOptions = { stdio: ["ignore", "ignore", "inherit"] };
    execFileSync("npx", ["--yes", "pnpm", "pack", "--pack-destination", target], { ...quiet, cwd: packageDirectory });
    const tarball = readdirSync(target).find((name) => name.endsWith(".tgz")) ?? "";
    writeFileSync(path.join(target, "package.json"), '{ "private": true }');
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    execFileSync("npm", ["install", `./${tarball}`, ...flags], { ...quiet, cwd: target });
    const lock = JSON.parse(readFileSync(path.join(target, "package-lock.json"), "utf8")) as {
      readonly packages: Readonly<Record<string, unknown>>;
    };
    return Object.keys(lock.packages).filter((name) => name !== "" && name !== "node_modules/zod").length;
  } finally {
    rmSync(target, { recursive: true });
  }
}

buildPackage();
installPeers();
for (const name of SYSTEMS) {
  metric(`dispatch.valid.vs_${name}`, Number(await runPeers("speed/speed-process.ts", [name])), "times_faster");
}
const rounds = Array.from({ length: ROUNDS }, () => ({ own: milliseconds(ours), zod: milliseconds(bare) }));
metric("export.first.vs_zod", median(rounds.map(({ own, zod }) => (own[0] ?? 0) / (zod[0] ?? 0))), "x");
metric("export.repeat_ms", median(rounds.map(({ own }) => own[1] ?? 0)), "ms");
metric("install.packages", countInstalled(), "packages_without_zod");
