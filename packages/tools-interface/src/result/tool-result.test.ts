import { describe, expect, test } from "vitest";
import { failure, isToolResult, success } from "../index.ts";

describe("success()", () => {
  test("sets the state of a success, with metadata {} by default", () => {
    const result = success("done");
    expect(result.success).toBe(true);
    expect(result.output).toBe("done");
    expect(result.data).toBeUndefined();
    expect(result.metadata).toEqual({});
  });

  test("never shows metadata to a model, and always in JSON", () => {
    const result = success("done", { data: [1], metadata: { stopLoop: true } });
    expect(result.toString()).toBe("done");
    expect(String(result)).toBe("done");
    expect(JSON.parse(JSON.stringify(result))).toEqual({
      success: true,
      output: "done",
      data: [1],
      metadata: { stopLoop: true },
    });
  });

  test("carries images beside the text", () => {
    const content = [{ type: "image", data: "iVBO", mimeType: "image/png" }] as const;
    expect(success("a picture", { content }).toJSON()).toEqual({
      success: true,
      output: "a picture",
      content,
      metadata: {},
    });
  });
});

describe("failure()", () => {
  test("sets the state of a failure", () => {
    const result = failure("no such file", { code: "not_found", metadata: { path: "a" } });
    expect(result.success).toBe(false);
    expect(result.error).toBe("no such file");
    expect(result.toString()).toBe("no such file");
    expect(result.toJSON()).toEqual({
      success: false,
      error: "no such file",
      code: "not_found",
      metadata: { path: "a" },
    });
    expect(failure("no").code).toBe("execution_failed");
  });
});

test("results are frozen, metadata included, and do not change with what they were made of", () => {
  const metadata = { stopLoop: true };
  for (const result of [success("x", { metadata }), failure("x", { metadata })]) {
    expect(Object.isFrozen(result)).toBe(true);
    expect(Object.isFrozen(result.metadata)).toBe(true);
    metadata.stopLoop = false;
    expect(result.metadata).toEqual({ stopLoop: true });
    metadata.stopLoop = true;
  }
});

test("isToolResult() knows results and nothing that looks like one", () => {
  expect(isToolResult(success("x"))).toBe(true);
  expect(isToolResult(failure("x"))).toBe(true);
  expect(isToolResult({ success: true, output: "x", metadata: {} })).toBe(false);
  expect(isToolResult(null)).toBe(false);
});
