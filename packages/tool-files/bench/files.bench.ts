import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { promisify } from "node:util";
import { registerFileTools } from "@dispatch/tool-files";
import { createToolRegistry } from "@dispatch/tools-interface";
import { rgPath } from "@vscode/ripgrep";

const ROUNDS = 9;
const FILES = 3000;
const PER_DIRECTORY = 30;

const run = promisify(execFile);

/** A tree like that of a project: a few thousand small files, some of them ignored, one text in every hundredth. */
async function makeTree(root: string): Promise<void> {
  const line = "export function example(value: number): number { return value * 2; }\n";
  for (let number = 0; number < FILES; number += 1) {
    const directory = join(
      root,
      `package-${Math.floor(number / 300)}`,
      "src",
      `part-${Math.floor(number / PER_DIRECTORY)}`,
    );
    if (number % PER_DIRECTORY === 0) await mkdir(directory, { recursive: true });
    const text = line.repeat(20 + (number % 60));
    await writeFile(
      join(directory, `module-${number}.ts`),
      number % 100 === 0 ? `${text}needleInTheHay(${number});\n` : text,
    );
  }
  await writeFile(join(root, ".gitignore"), "node_modules/\ndist/\n*.log\n");
  await mkdir(join(root, "node_modules", "left-out"), { recursive: true });
  for (let number = 0; number < 500; number += 1)
    await writeFile(join(root, "node_modules", "left-out", `${number}.js`), line);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function timed(act: () => Promise<unknown>, times: number): Promise<number> {
  const start = performance.now();
  for (let time = 0; time < times; time += 1) await act();
  return performance.now() - start;
}

/** The median over the rounds of ours ÷ floor, the two measured one after the other in each round. */
async function ratio(ours: () => Promise<unknown>, floor: () => Promise<unknown>, times: number): Promise<number> {
  await timed(ours, times);
  await timed(floor, times);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = round % 2 === 0 ? await timed(ours, times) : 0;
    const second = await timed(floor, times);
    ratios.push((first || (await timed(ours, times))) / second);
  }
  return median(ratios);
}

const root = await mkdtemp(join(tmpdir(), "tool-files-bench-"));
try {
  await makeTree(root);
  const registry = registerFileTools(createToolRegistry());
  const options = { context: { worktreePath: root } };
  const call = async (name: "read_file" | "list_files" | "search_files", params: object) => {
    const result = await registry.dispatch({ name, arguments: params }, options);
    if (!result.success) throw new Error(result.error);
    return result;
  };
  const floor = (...args: readonly string[]) =>
    run(rgPath, ["--no-config", "--hidden", ...args], { cwd: root, maxBuffer: 1 << 28 });

  const small = "package-0/src/part-0/module-1.ts";
  const listed = await call("list_files", { limit: 10_000 });
  const expected = (await floor("--files", "--no-require-git", "--glob", "!.git")).stdout.trim().split("\n").length;
  if ((listed.data as { total: number }).total !== expected)
    throw new Error(`listed ${String((listed.data as { total: number }).total)} of ${expected}`);

  const metrics = {
    "files.read_small.vs_readfile": await ratio(
      () => call("read_file", { path: small }),
      () => readFile(join(root, small), "utf8"),
      500,
    ),
    "files.list.vs_rg": await ratio(
      () => call("list_files", { limit: 10_000 }),
      () => floor("--files", "--no-require-git"),
      2,
    ),
    "files.search.vs_rg": await ratio(
      () => call("search_files", { query: "needleInTheHay" }),
      () => floor("--no-require-git", "--line-number", "-F", "needleInTheHay", "."),
      2,
    ),
  };
  for (const [name, value] of Object.entries(metrics)) console.log(`METRIC ${name} ${value.toFixed(2)} x`);
} finally {
  await rm(root, { recursive: true, force: true });
}
