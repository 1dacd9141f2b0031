import fc from "fast-check";
import { expect, test } from "vitest";
import { FilesError } from "../error/files-error.ts";
import { parsePatch } from "./parse-patch.ts";
import { patchBytes } from "./patch-bytes.ts";

/** A file, and pieces of it with their replacements, from its beginning to its end. */
const changedFile = fc
  .tuple(
    fc.array(fc.constantFrom("a", "b", "  b", "c", "", "*** x", "@@ d"), { minLength: 1, maxLength: 14 }),
    fc.array(
      fc.tuple(fc.nat(3), fc.nat(2), fc.nat(2), fc.array(fc.constantFrom("x", "y", "", "a"), { maxLength: 3 })),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    fc.constantFrom("\n", "\r\n"),
    fc.boolean(),
  )
  .map(([lines, pieces, end, closed]) => {
    const now: string[] = [];
    const patch: string[] = [];
    let at = 0;
    for (const [skip, context, removed, added] of pieces) {
      const from = Math.min(lines.length, at + skip);
      const kept = lines.slice(from, from + context);
      const gone = lines.slice(from + context, from + context + removed);
      if (kept.length + gone.length === 0 || gone.length + added.length === 0) continue;
      now.push(...lines.slice(at, from), ...kept, ...added);
      patch.push(
        "@@",
        ...kept.map((line) => ` ${line}`),
        ...gone.map((line) => `-${line}`),
        ...added.map((line) => `+${line}`),
      );
      at = from + kept.length + gone.length;
    }
    now.push(...lines.slice(at));
    // Lines whose last one is empty make a file that ends with a line end.
    return { lines, now, patch, end, closed: closed || lines.at(-1) === "" };
  })
  .filter(({ patch }) => patch.length > 0);

test("patchBytes() makes of a file what was meant, or refuses", () => {
  let applied = 0;
  fc.assert(
    fc.property(changedFile, ({ lines, now, patch, end, closed }) => {
      const text = lines.join(end) + (closed ? end : "");
      const [change] = parsePatch(["*** Begin Patch", "*** Update File: f", ...patch, "*** End Patch"].join("\n"));
      if (change?.kind !== "update") throw new Error("no update");
      try {
        const bytes = patchBytes(Buffer.from(text), change.hunks, "Cannot patch");
        applied += 1;
        // A file without a line end gets the usual one.
        const used = text.includes("\n") ? end : "\n";
        const meant = now.join(used);
        // The last line may get a line end when it is changed.
        expect([meant, now.map((line) => line + used).join("")]).toContain(bytes.toString());
      } catch (error) {
        if (!(error instanceof FilesError)) throw error;
      }
    }),
    { numRuns: 1000 },
  );
  expect(applied).toBeGreaterThan(300);
});
