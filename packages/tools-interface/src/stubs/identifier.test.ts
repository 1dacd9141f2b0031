import fc from "fast-check";
import { expect, test } from "vitest";
import { toIdentifiers } from "./tool-stub.ts";

test("toIdentifiers() keeps names that need no change, in any order", () => {
  const names = ["a-b", "a_b", "console", "_console", "class", "9lives", "a.b", "fetch"];
  expect(Object.fromEntries(toIdentifiers(names))).toEqual({
    "a-b": "a_b_2",
    a_b: "a_b",
    console: "_console_2",
    _console: "_console",
    class: "_class",
    "9lives": "_9lives",
    "a.b": "a_b_3",
    fetch: "fetch",
  });
});

test("toIdentifiers() gives each name an identifier of its own that hides nothing a program needs", () => {
  const needed = [
    "Promise",
    "Array",
    "JSON",
    "__callTool__",
    "await",
    "undefined",
    "console",
    "setTimeout",
    "URLSearchParams",
  ];
  const name = fc.oneof(fc.stringMatching(/^[A-Za-z0-9_./-]{1,6}$/), fc.constantFrom(...needed));
  fc.assert(
    fc.property(fc.uniqueArray(name), (names) => {
      const identifiers = [...toIdentifiers(names).values()];
      expect(new Set(identifiers).size).toBe(names.length);
      for (const identifier of identifiers) {
        expect(identifier).toMatch(/^[A-Za-z_]\w*$/);
        expect(needed).not.toContain(identifier);
      }
    }),
  );
});
