// Calls file tools one after the other and prints the results: for tests that need another process.
import { createToolRegistry } from "@dispatch/tools-interface";
import { createFileHistory, registerFileTools } from "../src/index.ts";

const [worktreePath = "", calls = "[]", forEver] = process.argv.slice(2);
const directory = process.env["JOURNAL"];
const history = directory === undefined ? {} : { history: createFileHistory({ directory }) };

async function callAll(): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const [call, params] of JSON.parse(calls) as readonly (readonly [string, unknown])[]) {
    const [name = "", without] = call.split(" ");
    const registry = registerFileTools(createToolRegistry(), {
      ...history,
      ...(without !== undefined && { ripgrep: false }),
    });
    results.push(await registry.dispatch({ name, arguments: params }, { context: { worktreePath } }));
  }
  return results;
}

// oxlint-disable-next-line no-unmodified-loop-condition -- until it is killed
while (forEver !== undefined) await callAll();
process.stdout.write(JSON.stringify(await callAll()));
