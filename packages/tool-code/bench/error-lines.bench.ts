/** Counts the programs whose error names exactly the line and column it comes from. Prints one line a figure. */
import { DenoRuntime } from "../src/deno/index.ts";
import { ERROR_LINE_CASES } from "./error-lines/error-line-cases.ts";
import { errorPlace } from "./error-lines/error-place.ts";

const runtime = new DenoRuntime();
let exact = 0;
for (const errorCase of ERROR_LINE_CASES) {
  const { wanted, found } = await errorPlace(runtime, errorCase);
  if (wanted === found) exact += 1;
  else console.log(`${errorCase.name}: ${found} instead of ${wanted}`);
}
await runtime.close();
console.log(`METRIC code.error_line.exact ${exact} cases`);
console.log(`METRIC code.error_line.cases ${ERROR_LINE_CASES.length} cases`);
