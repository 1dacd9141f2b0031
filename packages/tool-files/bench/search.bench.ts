// @boundaries-ignore benches measure in one way
import { metric, ratio } from "../../tools-interface/bench/measure.ts";
import { makeBigTree } from "./big-tree.ts";
import { callerIn, ripgrepIn } from "./vs-ripgrep.ts";

const QUERY = "needleInTheHay";
const root = await makeBigTree();
const floor = ripgrepIn(root);
const [ripgrep, builtin] = [callerIn(root), callerIn(root, { ripgrep: false })];

const expected = await floor("-n", "-F", QUERY, ".");
for (const call of [ripgrep, builtin]) {
  const { matches } = (await call("search_files", { query: QUERY })).data as { matches: object[] };
  if (matches.length !== expected) throw new Error(`found ${matches.length} of ${expected}`);
}

const sorted = ripgrepIn(root, 100);
const common = { query: "return" };
const first = (await ripgrep("search_files", common)).data as { cursor: string };

const literal = { query: QUERY };
const regex = { query: "needle\\w+\\(\\d0", is_regex: true };
const metrics = {
  "files.search.first_100.vs_rg_sorted": await ratio(
    [() => ripgrep("search_files", common), 3],
    [() => sorted("-n", "-F", "--sort=path", common.query, "."), 3],
  ),
  "files.search.next_100.vs_rg_sorted": await ratio(
    [() => ripgrep("search_files", { ...common, cursor: first.cursor }), 3],
    [() => sorted("-n", "-F", "--sort=path", common.query, "."), 3],
  ),
  "files.search.vs_rg": await ratio(
    [() => ripgrep("search_files", literal), 1],
    [() => floor("-n", "-F", QUERY, "."), 1],
  ),
  "files.search_regex.vs_rg": await ratio(
    [() => ripgrep("search_files", regex), 1],
    [() => floor("-n", regex.query, "."), 1],
  ),
  "files.search_fallback.vs_rg": await ratio(
    [() => builtin("search_files", literal), 1],
    [() => floor("-n", "-F", QUERY, "."), 1],
  ),
  "files.search_fallback_regex.vs_rg": await ratio(
    [() => builtin("search_files", regex), 1],
    [() => floor("-n", regex.query, "."), 1],
  ),
};
for (const [name, value] of Object.entries(metrics)) metric(name, value, "x");
