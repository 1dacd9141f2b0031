import { appendFile, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
// @boundaries-ignore benches measure in one way
import { metric, ratio } from "../../tools-interface/bench/measure.ts";
import { makeBigTree } from "./big-tree.ts";
import { callerIn } from "./vs-ripgrep.ts";

/** Rules of every kind that a file for a large development environment has. */
const KINDS = [
  (index: number) => `[Dd]ebug${index}/`,
  (index: number) => `*.[Cc]ache${index}`,
  (index: number) => `~$*${index}`,
  (index: number) => `*.ext${index}`,
  (index: number) => `_[Rr]eSharper${index}*/`,
  (index: number) => `!?*.[Cc]ache${index}/`,
  (index: number) => `**/[Pp]ackages${index}/*`,
  (index: number) => `*- [Bb]ackup${index} ([0-9]).rdl`,
  (index: number) => `Generated\\ Files${index}/`,
];

// A copy of a part of the tree: the tree itself is shared.
const tree = await makeBigTree();
const root = await mkdtemp(join(tmpdir(), "gitignore-bench-"));
try {
  for (const kind of ["plain", "real"]) await cp(join(tree, "apps"), join(root, kind), { recursive: true });
  const rules = Array.from({ length: 202 }, (_, index) => KINDS[index % KINDS.length]!(index));
  for (const kind of ["plain", "real"]) await writeFile(join(root, kind, ".gitignore"), "dist/\n*.log\n");
  await appendFile(join(root, "real", ".gitignore"), rules.join("\n"));
  const [plain, real] = [callerIn(join(root, "plain")), callerIn(join(root, "real"))];
  const query = { query: "needleInTheHay" };
  const metrics = {
    "files.list.gitignore_202.vs_plain": await ratio(
      [() => real("list_files", {}), 1],
      [() => plain("list_files", {}), 1],
      5,
    ),
    "files.search.gitignore_202.vs_plain": await ratio(
      [() => real("search_files", query), 1],
      [() => plain("search_files", query), 1],
      5,
    ),
  };
  for (const [name, value] of Object.entries(metrics)) metric(name, value, "x");
} finally {
  await rm(root, { recursive: true, force: true });
}
