import { expect, test } from "vitest";
import { startChild } from "../test/child.ts";
import * as api from "./index.ts";

test("the package exports what its README names", () => {
  expect(Object.keys(api).toSorted()).toEqual([
    "MemoryError",
    "createMemory",
    "createMemoryFilesTool",
    "createMemoryTools",
    "createTrustTracker",
    "openAiEmbedder",
    "openMemory",
    "openMemoryStore",
    "registerMemoryTools",
    "replayEvents",
    "toJsonLines",
  ]);
});

test("importing the package loads no database", async () => {
  const child = startChild(new URL(import.meta.resolve("../test/print-imports.ts")));
  await child.ended;
  const loaded = new Set(child.lines.map((name) => name.replace(/^(@[^/]+\/[^/]+)\/.*/, "$1")));
  expect([...loaded]).toEqual(["@dispatch/tools-interface", "@orama/stemmers", "diff", "zod"]);
});
