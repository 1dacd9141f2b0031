import fs from "node:fs";
import process from "node:process";
import { expect, test } from "vitest";
import { fileChange, hunksOf, Random } from "../../bench/mining/corpus.ts";
import { scoreHunks } from "../../bench/mining/trials.ts";

/** All sources of the package are changed in the nightly run. */
const SAMPLE_INTERVAL = process.env["DISPATCH_TEST_SEED"] === "random" ? 1 : 3;

/** Real sources with made-up changes, the same in every run: lines put in from another file, changed, or taken out. */
function someHunks() {
  const directory = new URL("../", import.meta.url);
  const random = new Random(7);
  const sources = fs
    .readdirSync(directory, { recursive: true, encoding: "utf8" })
    // Sources about placeholders for omitted text hold some: a changed one is rightly refused.
    .filter((name) => name.endsWith(".ts") && !/omission|omitted/.test(name))
    .toSorted()
    .map((name) => fs.readFileSync(new URL(name, directory), "utf8"));
  return sources.flatMap((before, index) => {
    if (index % SAMPLE_INTERVAL !== 0) return [];
    const lines = before.split("\n");
    const others = random.pick(sources).split("\n");
    const after = lines.flatMap((line) => {
      const kind = random.below(40);
      if (kind === 0) return [];
      if (kind === 1) return [line, others[random.below(others.length)]!];
      return kind === 2 ? [line.replace(/[a-z]\w+/, "changed")] : [line];
    });
    const change = fileChange(`source ${index}`, Buffer.from(before), Buffer.from(after.join("\n")));
    return change === undefined ? [] : hunksOf(change);
  });
}

test("editBytes() does what was intended, or nothing, with changes of real files", { timeout: 120_000 }, () => {
  const hunks = someHunks();
  expect(hunks.length).toBeGreaterThan(100);
  let tries = 0;
  let wrong = 0;
  for (const [kind, score] of scoreHunks(hunks)) {
    expect(score.tries, kind).toBeGreaterThan(0);
    const always = ["exact", "crlf", "bom", "mixed_ends", "invalid_bytes", "legacy", "utf16", "line_numbers"];
    if (always.includes(kind)) expect(score.examples, kind).toEqual([]);
    tries += score.tries;
    wrong += score.wrong;
  }
  expect(wrong / tries).toBeLessThanOrEqual(0.001);
});
