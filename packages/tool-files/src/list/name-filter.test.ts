import fc from "fast-check";
import ignore from "ignore";
import { expect, test } from "vitest";
import { NameFilter } from "./git-rule.ts";

test("mayMatch() is true of every name that a rule matches", () => {
  const part = fc.constantFrom(
    "a",
    "b",
    ".",
    "*",
    "?",
    "[ab]",
    "[!a]",
    "[a-c]",
    "**",
    "/",
    "!",
    "-",
    "^",
    "é",
    " ",
    "\\",
    "er/*",
    "(",
    "$",
  );
  const rule = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
  const name = fc.array(fc.constantFrom("a", "b", "c", ".", "-", "^", "!", "é"), { minLength: 1, maxLength: 5 });
  let [filters, kept, left] = [0, 0, 0];
  fc.assert(
    fc.property(fc.array(rule, { minLength: 1, maxLength: 4 }), name, fc.boolean(), (rules, letters, nested) => {
      const last = letters.join("");
      fc.pre(!/^\.*$/.test(last));
      const filter = NameFilter.of(rules);
      if (filter === undefined) return;
      filters += 1;
      const path = nested ? `deep/er/${last}` : last;
      const ignored = [path, `${path}/`].some((asked) => {
        const { ignored: own } = ignore({ ignorecase: false }).add(rules).test(asked);
        // Entries below an ignored directory are never queried.
        return (
          own &&
          !(nested && ["deep/", "deep/er/"].some((above) => ignore({ ignorecase: false }).add(rules).ignores(above)))
        );
      });
      if (ignored) expect(filter.mayMatch(path), `${rules.join(" ")}: ${path}`).toBe(true);
      if (filter.mayMatch(path)) kept += 1;
      else left += 1;
    }),
    { numRuns: 5000 },
  );
  for (const count of [filters, kept, left]) expect(count).toBeGreaterThan(20);
});

test("of() is no filter where a rule may match any name", () => {
  for (const rule of ["*", "a/**", "**", "\\*", "[a/b]", "é", "/"])
    expect(NameFilter.of(["a", rule]), rule).toBeUndefined();
  for (const rule of [
    "a",
    "*.o",
    "[Dd]ebug/",
    "!/a/b?",
    "x*y",
    "a b",
    "/*",
    "**/[Pp]ackages/*",
    "~$*",
    "*- [Bb]ackup ([0-9]).rdl",
  ])
    expect(NameFilter.of(["a", rule]), rule).toBeDefined();
});
