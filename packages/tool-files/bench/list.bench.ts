import { makeBigTree } from "./big-tree.ts";
import { callerIn, ratioOf, ripgrepIn } from "./vs-ripgrep.ts";

const root = await makeBigTree();
const floor = ripgrepIn(root);
const call = callerIn(root);

const expected = await floor("--files");
const { total } = (await call("list_files", {})).data as { total: number };
if (total !== expected) throw new Error(`listed ${total} of ${expected}`);

const metrics = {
  "files.list.vs_rg_files": await ratioOf(
    () => call("list_files", {}),
    () => floor("--files"),
  ),
  "files.list_glob.vs_rg_files": await ratioOf(
    () => call("list_files", { pattern: "*.ts" }),
    () => floor("--files", "--type-add", "wanted:*.ts", "--type", "wanted"),
  ),
};
for (const [name, value] of Object.entries(metrics)) console.log(`METRIC ${name} ${value.toFixed(2)} x`);
