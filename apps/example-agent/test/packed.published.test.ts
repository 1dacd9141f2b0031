import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { compileConsumers, consumerOf, writeConsumers } from "./packed/consumer.ts";
import { installers } from "./packed/installers.ts";
import { findSystemNode, pinnedNode } from "./packed/nodes.ts";
import { packAll, packages } from "./packed/packages.ts";
import { exampleNode, readReadme } from "./packed/readme.ts";
import { runExample, runProgram } from "./packed/run-program.ts";

const nodes = [
  { name: "the machine's", findNode: findSystemNode },
  { name: "the pinned", findNode: () => Promise.resolve(pinnedNode) },
];

/** The packages that are imported: the others are commands. */
const libraries = packages.filter(({ specifiers }) => specifiers.length > 0);

let scratch: string;
let tarballs: Readonly<Record<string, string>>;

beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), "dispatch-packed-"));
  tarballs = await packAll(scratch);
});

afterAll(() => rm(scratch, { recursive: true, force: true }));

describe.each(Object.entries(installers))("installed with %s", (_, { install, isolates }) => {
  // Where packages are not kept apart, a project of one shows no more than a project of all.
  const projects = isolates ? libraries.map((published) => [published]) : [libraries];
  describe.for(projects)("as the READMEs say", (project) => {
    let directory: string;

    beforeAll(async () => {
      directory = await mkdtemp(path.join(scratch, "project-"));
      const readmes = await Promise.all(project.map((published) => readReadme(published.directory)));
      const names = readmes.flatMap(({ installs }) => installs);
      await install(directory, Object.fromEntries(names.map((name) => [name, tarballs[name] ?? "latest"])), tarballs);
      for (const [at, { example }] of readmes.entries()) await writeFile(path.join(directory, `${at}.mjs`), example);
    });

    describe.each(
      project.map(({ name, directory: of, oldestNode }, at) => ({
        name,
        oldestNode: exampleNode(of) ?? oldestNode,
        example: `${at}.mjs`,
      })),
    )("$name", ({ oldestNode, example }) => {
      test.for(nodes)("runs the example of its README on $name Node", async ({ findNode }, { skip }) => {
        const node = await findNode(oldestNode);
        if (node === undefined) return skip(`no Node >= ${oldestNode} is on the path`);
        expect((await runExample(node, example, directory)).trim()).not.toBe("");
      });
    });
  });

  describe("every package with its optional peers", () => {
    let directory: string;

    beforeAll(async () => {
      directory = await mkdtemp(path.join(scratch, "peers-"));
      const peers = packages.map(({ optionalPeers }) => optionalPeers);
      const installs = await Promise.all(libraries.map(async (one) => (await readReadme(one.directory)).installs));
      const dependencies = [...installs.flat(), "@dispatch/mcp-server"].map((name) => [
        name,
        tarballs[name] ?? "latest",
      ]);
      await install(directory, { ...Object.assign({}, ...peers), ...Object.fromEntries(dependencies) }, tarballs);
      await writeConsumers(directory, libraries);
    });

    test("has declarations that compile, of every subpath", async () => {
      await expect(compileConsumers(directory)).resolves.toBeUndefined();
    });

    test("has the command of the MCP server, which a client starts", async () => {
      const client = new Client({ name: "test", version: "1.0.0" });
      const command = path.join(directory, "node_modules/.bin/dispatch-mcp-server");
      await client.connect(new StdioClientTransport({ command, args: ["--workspace", directory] }));
      onTestFinished(() => client.close());
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain("execute_code");
      const { content } = await client.callTool({ name: "read_file", arguments: { path: "package.json" } });
      expect(JSON.stringify(content)).toContain("@dispatch/mcp-server");
      const code = "return (await list_files({ path: '.' })).length > 0";
      const ran = await client.callTool({ name: "execute_code", arguments: { code } });
      expect(ran.isError, JSON.stringify(ran.content)).toBeUndefined();
    });

    describe.each(libraries)("$name", (published) => {
      test.for(nodes)("can be imported, every subpath, on $name Node", async ({ findNode }, { skip }) => {
        const node = await findNode(published.oldestNode);
        if (node === undefined) return skip(`no Node >= ${published.oldestNode} is on the path`);
        expect(await runProgram(node, [`${consumerOf(published)}.mjs`], directory)).not.toBe("");
      });
    });
  });
});

test("all packages together run with the oldest zod that they take", async () => {
  const directory = await mkdtemp(path.join(scratch, "oldest-"));
  const readmes = await Promise.all(libraries.map((published) => readReadme(published.directory)));
  const wanted = Object.fromEntries(readmes.flatMap(({ installs }) => installs.map((name) => [name, "latest"])));
  await installers["npm"]?.install(directory, { ...wanted, ...tarballs, zod: "4.2.0" }, tarballs);
  for (const { example } of readmes) {
    await writeFile(path.join(directory, "example.mjs"), example);
    expect((await runExample(pinnedNode, "example.mjs", directory)).trim()).not.toBe("");
  }
  expect(await runProgram("npm", ["ls", "zod", "--parseable"], directory)).not.toMatch(
    /node_modules\/.*node_modules\/zod/,
  );
});

test("a package made by the published generator builds, passes its tests and runs its README's example", async ({
  skip,
}) => {
  if ((await findSystemNode()) === undefined) return skip("no Node >= 20.19 is on the path");
  // What is installed in a project is what `npm create` runs there, so this is the command as it is typed.
  const project = await mkdtemp(path.join(scratch, "create-"));
  const install = ["install", "--no-audit", "--no-fund", "--prefer-offline"];
  await runProgram("npm", [...install, "--prefix", project, tarballs["@dispatch/create-tool"] ?? ""], project);
  const make = ["create", "--yes", "@dispatch/tool", "look_up_order", "--", "--name", "@acme/tool-orders"];
  expect(await runProgram("npm", make, project)).toContain("npm test");

  const directory = path.join(project, "tool-look-up-order");
  const file = path.join(directory, "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8")) as { dependencies: Record<string, string> };
  // The version that is being made is not on the registry yet.
  expect(manifest.dependencies["@dispatch/tools-interface"]).toMatch(/^\^\d/);
  manifest.dependencies["@dispatch/tools-interface"] = tarballs["@dispatch/tools-interface"] ?? "";
  writeFileSync(file, JSON.stringify(manifest));

  await runProgram("npm", install, directory);
  expect(await runProgram("npm", ["test"], directory)).toMatch(/Tests .*2 passed/);
  await runProgram("npm", ["run", "check"], directory);
  // Builds first, by the package's own script.
  expect(await runProgram("npm", ["pack", "--dry-run"], directory)).toContain("acme-tool-orders-0.0.0.tgz");
  const { example } = await readReadme(directory);
  writeFileSync(path.join(directory, "example.mjs"), example);
  expect(await runExample("node", "example.mjs", directory)).toContain("6");
});
