import { describe, expect, test } from "vitest";
import { DEFAULT_CODE_LIMITS, resolveCodeLimits } from "./code-limits.ts";

describe("resolveCodeLimits()", () => {
  test("takes what is given and the base for the rest", () => {
    expect(resolveCodeLimits()).toEqual(DEFAULT_CODE_LIMITS);
    const base = resolveCodeLimits({ calls: 7 });
    expect(resolveCodeLimits({ wallMs: 5 }, base)).toEqual({ ...DEFAULT_CODE_LIMITS, calls: 7, wallMs: 5 });
    expect(Object.isFrozen(base)).toBe(true);
  });

  test.each([
    { wallMs: 0 },
    { wallMs: -1 },
    { wallMs: 1.5 },
    { wallMs: Number.NaN },
    { wallMs: Infinity },
    { wallMs: "5" },
    { wallMs: null },
    { wallms: 5 },
    JSON.parse('{"__proto__":5}'),
  ])("refuses %o", (limits) => {
    expect(() => resolveCodeLimits(limits as never)).toThrow(RangeError);
  });
});
