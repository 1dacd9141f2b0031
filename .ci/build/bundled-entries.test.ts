import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { rolldown } from "rolldown";
import { expect, onTestFinished, test } from "vitest";

const source = path.resolve(import.meta.dirname, "../../packages/tools-interface");

/** A program that uses entries of `tools-interface` and the packages around it, bundled with all it imports. */
async function bundle(program: string) {
  const directory = mkdtempSync(path.join(tmpdir(), "dispatch-entries-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const input = path.join(directory, "program.mjs");
  writeFileSync(input, program.replaceAll(/from "@\/(?<entry>[^"]*)"/g, `from "${source}/src/$<entry>"`));
  const built = await rolldown({
    input,
    platform: "node",
    cwd: source,
    resolve: {
      conditionNames: ["@dispatch/source", "node", "import", "default"],
      // The app has all packages.
      modules: ["node_modules", path.resolve(source, "../../apps/example-agent/node_modules")],
    },
  });
  const { output } = await built.write({
    dir: path.join(directory, "alone"),
    format: "esm",
    entryFileNames: "[name].mjs",
  });
  await built.close();
  return {
    /** The modules of it, by their path in the package or in its dependencies. */
    modules: output
      .flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []))
      .map((id) => path.relative(source, id)),
    run: () =>
      execFileSync(process.execPath, [path.join(directory, "alone/program.mjs")], { encoding: "utf8", cwd: directory }),
  };
}

const DEFINE = `
import { createToolRegistry, defineTool } from "@/index.ts";
const tool = defineTool({ name: "pay", description: "Pays.", parameters: { type: "object", properties: { cents: { type: "number" } } }, execute: ({ cents }) => "paid " + cents });
const call = { id: "toolu_01A09q90qw90", name: "pay", arguments: { cents: 900 } };
`;

test("the root entry bundles without durable calls and their dependencies", async () => {
  const { modules, run } = await bundle(`${DEFINE}
    console.log(String(await createToolRegistry().register(tool).dispatch(call)));`);
  expect(run()).toBe("paid 900\n");
  expect(modules).toContain("src/run-call.ts");
  const others = /src\/durable\/|dbos|node_modules\/pg/;
  expect(modules.filter((id) => others.test(id))).toEqual([]);
});

test.each([
  [
    "policy",
    `import { createPolicy } from "@dispatch/policy";
     const policy = createPolicy({ tools: [tool], rules: [{ id: "small", effect: "allow" }, { id: "large", effect: "deny", when: "args.cents > 500" }] });
     const registry = createToolRegistry({ policy: policy.decide }).register(tool);
     for (const cents of [100, 900]) console.log((await registry.dispatch("pay", { cents })).success);`,
    "true\nfalse\n",
  ],
  [
    "durable",
    `import { createDurable, createMemoryEngine } from "@dispatch/durable";
     const session = createDurable(createMemoryEngine()).session("s");
     const registry = createToolRegistry().register(tool);
     await registry.dispatch(call, { durable: session });
     console.log(String(await registry.dispatch(call, { durable: session })));`,
    "paid 900\n",
  ],
  [
    "durable/sqlite",
    `import { createDurable } from "@dispatch/durable";
     import { openSqliteEngine } from "@dispatch/durable/sqlite";
     const durable = createDurable(await openSqliteEngine("calls.db"));
     console.log(String(await createToolRegistry().register(tool).dispatch(call, { durable: durable.session("s") })));
     await durable.close();`,
    "paid 900\n",
  ],
  [
    "agent",
    `import { createAgentTool } from "@dispatch/agent";
     import { fromAiSdkModel } from "@dispatch/providers/ai-sdk";
     const content = [{ type: "text", text: "nothing to pay" }];
     const doGenerate = async () => ({ content, finishReason: { unified: "stop" }, usage: {} });
     const model = fromAiSdkModel({ specificationVersion: "v4", doGenerate });
     const tools = createToolRegistry().register(tool);
     const agent = createAgentTool({ name: "agent", description: "Pays.", instructions: "Pay.", model, tools });
     console.log(String(await createToolRegistry().register(agent).dispatch("agent", { task: "Pay." })));`,
    "nothing to pay\n",
  ],
])("%s works in a bundle, alone", async (_, program, printed) => {
  expect((await bundle(DEFINE + program)).run()).toBe(printed);
});
