import fs from "node:fs";
import { expect, test } from "vitest";
import { OBEYED_FILES, PathPolicy } from "./protected-paths.ts";

const PAGE = new URL("../../../../THREAT_MODEL.md", import.meta.url);

test.each(OBEYED_FILES)(
  "ruleFor() asks about files that are $why, in any case, and not about similar names",
  ({ paths }) => {
    const policy = new PathPolicy();
    for (const pattern of paths) {
      const path = pattern.replace("*", "a");
      for (const one of [path, path.toUpperCase(), `${path}/inside.txt`])
        expect([one, policy.ruleFor(one.split("/"))]).toEqual([one, "ask"]);
      if (pattern.startsWith("*")) continue;
      const similar = `x${path.replaceAll("/", "-")}`;
      expect([similar, policy.ruleFor([similar])]).toEqual([similar, "allow"]);
    }
  },
);

test("the threat model's table has exactly the files that need approval, with the same reasons", () => {
  const rows = fs.readFileSync(PAGE, "utf8").matchAll(/^\| `ask` +\| (?<paths>.*?) +\| (?<why>.*?) +\|$/gm);
  const written = Array.from(rows, ({ groups }) => ({
    why: groups!["why"],
    paths: groups!["paths"]!.split(", ").map((name) => name.slice(1, -1)),
  }));
  expect(written).toEqual(OBEYED_FILES);
});
