import { execFileSync } from "node:child_process";
import { buildPackage, packageDirectory } from "./built-package.ts";
import { median, metric } from "./measure.ts";

/** Processes started for each side; they take turns. */
const ROUNDS = 15;
const dist = new URL("../dist/index.js", import.meta.url);

/** CPU milliseconds that a fresh process spends on importing these modules beyond its own start. */
function importCost(...modules: readonly string[]): number {
  const imports = modules.map((name) => `await import(${JSON.stringify(name)});`).join("");
  const program = `const t=process.cpuUsage();${imports}const c=process.cpuUsage(t);console.log((c.user+c.system)/1000)`;
  return Number(
    execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: packageDirectory, encoding: "utf8" }),
  );
}

buildPackage();
const costs = Array.from({ length: ROUNDS }, () => importCost("zod", dist.href) - importCost("zod"));
metric("import.cpu_ms", median(costs), "ms_over_zod");
