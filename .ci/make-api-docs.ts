/** `node .ci/make-api-docs.ts` puts the pages of the API into `.api-docs`. */
import path from "node:path";
import process from "node:process";
import { installTools } from "./install-tools.ts";
import { root } from "./run-command.ts";

await installTools();
// Only now is the library there that makes them.
const { makeApiDocs } = await import("./api-docs.ts");
const site = path.join(root, ".api-docs");
const { ok, output } = await makeApiDocs(site);
console.log(ok ? `Open ${path.join(path.relative(process.cwd(), site), "index.html")}` : output);
process.exitCode = ok ? 0 : 1;
