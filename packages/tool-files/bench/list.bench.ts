import { makeBigTree } from "./big-tree.ts";
import { metric, ratio } from "./measure.ts";
import { callerIn, ripgrepIn } from "./vs-ripgrep.ts";

const root = await makeBigTree();
const floor = ripgrepIn(root);
const call = callerIn(root);

const expected = await floor("--files");
const { total } = (await call("list_files", {})).data as { total: number };
if (total !== expected) throw new Error(`listed ${total} of ${expected}`);

const metrics = {
  "files.list.vs_rg_files": await ratio([() => call("list_files", {}), 1], [() => floor("--files"), 1]),
  "files.list_glob.vs_rg_files": await ratio(
    [() => call("list_files", { pattern: "*.ts" }), 1],
    [() => floor("--files", "--type-add", "wanted:*.ts", "--type", "wanted"), 1],
  ),
};
for (const [name, value] of Object.entries(metrics)) metric(name, value, "x");
