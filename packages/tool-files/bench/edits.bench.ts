import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { registerFileTools } from "@dispatch/tool-files";
import { createToolRegistry } from "@dispatch/tools-interface";
// @boundaries-ignore benches measure in one way
import { metric } from "../../tools-interface/bench/measure.ts";
import { mineCorpus } from "./mining/corpus.ts";
import { scoreHunks, type Score } from "./mining/trials.ts";

const PROCESSES = 8;
const EDITS = 50;

const run = promisify(execFile);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Numbers of `count` that were to be replaced in a file and are not. */
function left(text: string, count: number): number {
  return Array.from({ length: count }, (_, number) => number).filter((number) => !text.includes(`[${number}]\n`))
    .length;
}

/** Edits of one file that nobody reports as failed and that are not there afterwards: in one process, then in several. */
async function lostUpdates(): Promise<number> {
  const root = await mkdtemp(join(tmpdir(), "edits-bench-"));
  const file = join(root, "a.txt");
  const numbers = (count: number) => Array.from({ length: count }, (_, number) => `<${number}>\n`).join("");
  try {
    await writeFile(file, numbers(EDITS));
    const registry = registerFileTools(createToolRegistry());
    const calls = Array.from({ length: EDITS }, (_, number) =>
      registry.dispatch(
        "edit_file",
        { path: "a.txt", edits: [{ old_text: `<${number}>`, new_text: `[${number}]` }] },
        { context: { worktreePath: root } },
      ),
    );
    await Promise.all(calls);
    const parallel = left(await readFile(file, "utf8"), EDITS);

    await writeFile(file, numbers(PROCESSES * EDITS));
    const args = ["--conditions=@dispatch/source", "--no-warnings", here("../test/edit-many.ts"), root, "a.txt"];
    await Promise.all(
      Array.from({ length: PROCESSES }, (_, index) => run(process.execPath, [...args, `${index * EDITS}`, `${EDITS}`])),
    );
    const beside = (await readdir(root)).length - 1;
    return parallel + left(await readFile(file, "utf8"), PROCESSES * EDITS) + beside;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const hunks = await mineCorpus(here("../../.."));
const scores = scoreHunks(hunks);
const all = [...scores.values()];
const sum = (count: (score: Score) => number) => all.reduce((total, score) => total + count(score), 0);
for (const [kind, { examples }] of scores)
  for (const example of examples.slice(0, 5)) console.error(`${kind}: ${example}`);

metric("files.edit.hunks", hunks.length, "hunks", 0);
const tries = sum((score) => score.tries);
metric("files.edit.tries", tries, "tries", 0);
metric("files.edit.wrong", sum(({ wrong }) => wrong) / tries, "share", 6);
for (const [kind, score] of scores) metric(`files.edit.${kind}`, score.right / score.tries, "share", 6);
metric("files.edit.lost_updates", await lostUpdates(), "edits", 0);
