import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "../machine/run-command.ts";
import { stamp, stampServer, withStampedManifests } from "./stamped-manifests.ts";

const file = path.join(root, "packages/tool-code/package.json");

test("stamp() names the repository, the directory, the page and the place for bugs", () => {
  expect(stamp({ name: "@dispatch/kettle" }, "https://git.example/acme/kettle", "packages/kettle")).toEqual({
    name: "@dispatch/kettle",
    homepage: "https://git.example/acme/kettle/tree/HEAD/packages/kettle#readme",
    bugs: { url: "https://git.example/acme/kettle/issues" },
    repository: { type: "git", url: "git+https://git.example/acme/kettle.git", directory: "packages/kettle" },
  });
});

test("stampServer() names the version everywhere, and nothing else", () => {
  const entry = {
    name: "io.github.acme/kettle",
    version: "0.0.0",
    packages: [{ identifier: "@acme/kettle", version: "0.0.0" }],
  };
  expect(stampServer(entry, "1.2.3")).toEqual({
    name: "io.github.acme/kettle",
    version: "1.2.3",
    packages: [{ identifier: "@acme/kettle", version: "1.2.3" }],
  });
});

test("withStampedManifests() leaves the manifests as they were, also when the work fails", async () => {
  const before = readFileSync(file, "utf8");
  const work = withStampedManifests("https://git.example/acme/kettle", async () => {
    expect(readFileSync(file, "utf8")).toContain("git+https://git.example/acme/kettle.git");
    throw new Error("refused");
  });
  await expect(work).rejects.toThrow("refused");
  expect(readFileSync(file, "utf8")).toBe(before);
});
