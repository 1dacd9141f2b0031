import { makeBigTree } from "./big-tree.ts";
import { callerIn, ratioOf, ripgrepIn } from "./vs-ripgrep.ts";

const QUERY = "needleInTheHay";
const root = await makeBigTree();
const floor = ripgrepIn(root);
const [ripgrep, builtin] = [callerIn(root), callerIn(root, { ripgrep: false })];

const expected = await floor("-n", "-F", QUERY, ".");
for (const call of [ripgrep, builtin]) {
  const { matches } = (await call("search_files", { query: QUERY })).data as { matches: object[] };
  if (matches.length !== expected) throw new Error(`found ${matches.length} of ${expected}`);
}

const literal = { query: QUERY };
const regex = { query: "needle\\w+\\(\\d0", is_regex: true };
const metrics = {
  "files.search.vs_rg": await ratioOf(
    () => ripgrep("search_files", literal),
    () => floor("-n", "-F", QUERY, "."),
  ),
  "files.search_regex.vs_rg": await ratioOf(
    () => ripgrep("search_files", regex),
    () => floor("-n", regex.query, "."),
  ),
  "files.search_fallback.vs_rg": await ratioOf(
    () => builtin("search_files", literal),
    () => floor("-n", "-F", QUERY, "."),
  ),
  "files.search_fallback_regex.vs_rg": await ratioOf(
    () => builtin("search_files", regex),
    () => floor("-n", regex.query, "."),
  ),
};
for (const [name, value] of Object.entries(metrics)) console.log(`METRIC ${name} ${value.toFixed(2)} x`);
