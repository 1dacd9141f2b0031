import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createWireNames, MODEL_NAMES } from "./wire-names.ts";

const long = "a_very_long_name_".repeat(5);

describe("createWireNames()", () => {
  it("keeps accepted names, replaces what is refused, hashes what is cut, empty or taken", () => {
    const names = createWireNames(
      ["read_file", "fs.read", "fs/read", "fs_read", `${long}1`, `${long}2`, ""],
      MODEL_NAMES,
    );
    expect(names.toWire("read_file")).toBe("read_file");
    expect(names.toWire("fs_read")).toBe("fs_read");
    expect(names.toWire("fs.read")).toMatch(/^fs_read_[0-9a-z]{8}$/);
    expect(names.toWire("fs/read")).not.toBe(names.toWire("fs.read"));
    expect(names.toWire(`${long}1`)).toMatch(/^a_very_long_name_.*_[0-9a-z]{8}$/);
    expect(names.toWire("")).toMatch(/^tool_/);
    expect(createWireNames(["fs.read"], MODEL_NAMES).toWire("fs.read")).toBe("fs_read");
  });

  it("leaves names that it does not know as they are", () => {
    const names = createWireNames(["a.b"], MODEL_NAMES);
    expect(names.fromWire("unknown.tool")).toBe("unknown.tool");
    expect(names.fromWire("constructor")).toBe("constructor");
    expect(names.fromWire("__proto__")).toBe("__proto__");
  });

  it("is reversible and accepted by the provider, whatever the names", () => {
    const odd = fc.constantFrom("a.b", "a_b", "a/b", "__proto__", "constructor", "", long, `${long}!`, "🙂", "a\nb");
    const rules = [MODEL_NAMES, { ...MODEL_NAMES, start: /[A-Za-z_]/ }];
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.oneof(odd, fc.string({ maxLength: 100 }))),
        fc.constantFrom(...rules),
        (all, rule) => {
          const names = createWireNames(all, rule);
          const wireNames = all.map((name) => names.toWire(name));
          expect(new Set(wireNames).size).toBe(all.length);
          expect(wireNames.map((name) => names.fromWire(name))).toEqual(all);
          for (const name of wireNames) {
            expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
            if ("start" in rule) expect(name).toMatch(/^[A-Za-z_]/);
          }
        },
      ),
    );
  });
});
