import { afterAll, describe, expect, test } from "vitest";
import { ERROR_LINE_CASES } from "../../bench/error-lines/error-line-cases.ts";
import { errorPlace } from "../../bench/error-lines/error-place.ts";
import { DenoRuntime } from "./deno-runtime.ts";

const runtime = new DenoRuntime();
afterAll(() => runtime.close());

describe("the place of an error", () => {
  test.each(ERROR_LINE_CASES)("is line and column of $name", async (errorCase) => {
    const { wanted, found } = await errorPlace(runtime, errorCase);
    expect(found).toBe(wanted);
  });
});
