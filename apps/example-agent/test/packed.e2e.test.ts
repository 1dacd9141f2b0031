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
    let folder: string;
    let dependencies: Readonly<Record<string, string>>;

    beforeAll(async () => {
      folder = await mkdtemp(path.join(scratch, "project-"));
      const { installs, example } = await readReadme(published.folder);
      dependencies = Object.fromEntries(installs.map((name) => [name, tarballs[name] ?? "latest"]));
      await install(folder, dependencies, tarballs);
      await writeFile(path.join(folder, "example.mjs"), example);
    });

    test.for(nodes)("runs the example of its README on $name Node", async ({ findNode }, { skip }) => {
      const node = await findNode();
      if (node === undefined) return skip("no Node >= 20.19 is on the path");
      expect((await runProgram(node, ["example.mjs"], folder)).trim()).not.toBe("");
    });

    describe("and its optional peers", () => {
      beforeAll(async () => {
        await install(folder, { ...published.optionalPeers, ...dependencies }, tarballs);
        await writeConsumer(folder, published);
      });

      test("has declarations that compile, of every subpath", async () => {
        await expect(compileConsumer(folder)).resolves.toBeUndefined();
      });

      test.for(nodes)("can be imported, every subpath, on $name Node", async ({ findNode }, { skip }) => {
        const node = await findNode();
        if (node === undefined) return skip("no Node >= 20.19 is on the path");
        expect(await runProgram(node, ["consumer.mjs"], folder)).not.toBe("");
      });
    });
  });
});

test("all packages together run with the oldest zod that they take", async () => {
  const folder = await mkdtemp(path.join(scratch, "oldest-"));
  await installers["npm"]?.(folder, { ...tarballs, zod: "4.2.0" }, tarballs);
  for (const published of packages) {
    const { example } = await readReadme(published.folder);
    await writeFile(path.join(folder, "example.mjs"), example);
    expect((await runProgram(pinnedNode, ["example.mjs"], folder)).trim()).not.toBe("");
  }
  expect(await runProgram("npm", ["ls", "zod", "--parseable"], folder)).not.toMatch(
    /node_modules\/.*node_modules\/zod/,
  );
});
