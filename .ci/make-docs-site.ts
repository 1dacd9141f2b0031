/** `node .ci/make-docs-site.ts` puts the docs site into `.docs-site`. */
import path from "node:path";
import process from "node:process";
import { installTools } from "./machine/install-tools.ts";
import { root } from "./machine/run-command.ts";

await installTools();
// Only now are the libraries there that make it.
const { makeDocsSite } = await import("./docs/docs-site.ts");
const site = path.join(root, ".docs-site");
const { ok, output } = await makeDocsSite(site);
console.log(ok ? `Open ${path.join(path.relative(process.cwd(), site), "index.html")}` : output);
process.exitCode = ok ? 0 : 1;
