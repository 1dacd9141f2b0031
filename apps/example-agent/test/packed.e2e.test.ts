import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileConsumer, writeConsumer } from "./packed/consumer.ts";
import { installers } from "./packed/installers.ts";
import { findSystemNode, pinnedNode } from "./packed/nodes.ts";
import { packAll, packages } from "./packed/packages.ts";
import { readReadme } from "./packed/readme.ts";
import { runProgram } from "./packed/run-program.ts";

const nodes = [
  { name: "the machine's", findNode: findSystemNode },
  { name: "the pinned", findNode: () => Promise.resolve(pinnedNode) },
];

let scratch: string;
let tarballs: Readonly<Record<string, string>>;

beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), "dispatch-packed-"));
  tarballs = await packAll(scratch);
});

afterAll(() => rm(scratch, { recursive: true, force: true }));

describe.each(packages)("$name packed", (published) => {
  describe.each(Object.entries(installers))("installed with %s as its README says", (_, install) => {
    let directory: string;
    let dependencies: Readonly<Record<string, string>>;

    beforeAll(async () => {
      directory = await mkdtemp(path.join(scratch, "project-"));
      const { installs, example } = await readReadme(published.directory);
      dependencies = Object.fromEntries(installs.map((name) => [name, tarballs[name] ?? "latest"]));
      await install(directory, dependencies, tarballs);
      await writeFile(path.join(directory, "example.mjs"), example);
    });

    test.for(nodes)("runs the example of its README on $name Node", async ({ findNode }, { skip }) => {
      const node = await findNode();
      if (node === undefined) return skip("no Node >= 20.19 is on the path");
      expect((await runProgram(node, ["example.mjs"], directory)).trim()).not.toBe("");
    });

    describe("and its optional peers", () => {
      beforeAll(async () => {
        await install(directory, { ...published.optionalPeers, ...dependencies }, tarballs);
        await writeConsumer(directory, published);
      });

      test("has declarations that compile, of every subpath", async () => {
        await expect(compileConsumer(directory)).resolves.toBeUndefined();
      });

      test.for(nodes)("can be imported, every subpath, on $name Node", async ({ findNode }, { skip }) => {
        const node = await findNode();
        if (node === undefined) return skip("no Node >= 20.19 is on the path");
        expect(await runProgram(node, ["consumer.mjs"], directory)).not.toBe("");
      });
    });
  });
});

test("all packages together run with the oldest zod that they take", async () => {
  const directory = await mkdtemp(path.join(scratch, "oldest-"));
  await installers["npm"]?.(directory, { ...tarballs, zod: "4.2.0" }, tarballs);
  for (const published of packages) {
    const { example } = await readReadme(published.directory);
    await writeFile(path.join(directory, "example.mjs"), example);
    expect((await runProgram(pinnedNode, ["example.mjs"], directory)).trim()).not.toBe("");
  }
  expect(await runProgram("npm", ["ls", "zod", "--parseable"], directory)).not.toMatch(
    /node_modules\/.*node_modules\/zod/,
  );
});
