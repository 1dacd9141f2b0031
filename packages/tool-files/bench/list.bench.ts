// @boundaries-ignore benches measure in one way
import { metric, ratio } from "../../tools-interface/bench/measure.ts";
import { makeBigTree } from "./big-tree.ts";
import { callerIn, ripgrepIn } from "./vs-ripgrep.ts";

const root = await makeBigTree();
const floor = ripgrepIn(root);
const call = callerIn(root);

const expected = await floor("--files");
const { total } = (await call("list_files", {})).data as { total: number };
if (total !== expected) throw new Error(`listed ${total} of ${expected}`);

async function pages(): Promise<void> {
  let listed = 0;
  for (let cursor: string | undefined, more = true; more;) {
    const { data } = await call("list_files", { limit: 1000, ...(cursor !== undefined && { cursor }) });
    const page = data as { files: readonly string[]; cursor?: string };
    listed += page.files.length;
    ({ cursor } = page);
    more = cursor !== undefined;
  }
  if (listed !== expected) throw new Error(`listed ${listed} of ${expected} page by page`);
}

const metrics = {
  "files.list.vs_rg_files": await ratio([() => call("list_files", {}), 1], [() => floor("--files"), 1]),
  "files.list_glob.vs_rg_files": await ratio(
    [() => call("list_files", { pattern: "*.ts" }), 1],
    [() => floor("--files", "--type-add", "wanted:*.ts", "--type", "wanted"), 1],
  ),
  // All pages of a thousand paths against the first of them, which counts all the others.
  "files.list_pages.vs_first_page": await ratio([pages, 1], [() => call("list_files", {}), 1], 3),
};
for (const [name, value] of Object.entries(metrics)) metric(name, value, "x");
