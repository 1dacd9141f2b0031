import { describe, expect, test } from "vitest";
import { imageTypeOf, wholeImageSize } from "./image.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=",
  "base64",
);

describe("wholeImageSize()", () => {
  test("reads the size of an image whose end is there", () => {
    expect([imageTypeOf(png), wholeImageSize(png, "image/png")]).toEqual(["image/png", { width: 1, height: 1 }]);
    expect(wholeImageSize(Buffer.concat([png, Buffer.from("more")]), "image/png")).toEqual({ width: 1, height: 1 });
  });

  test("says nothing of another kind, or of one that is cut off anywhere", () => {
    expect(wholeImageSize(png, "image/gif")).toBe(undefined);
    for (let length = 0; length < png.length - 4; length += 1)
      expect(wholeImageSize(png.subarray(0, length), "image/png"), String(length)).toBe(undefined);
  });

  test.each([
    ["a JPEG of empty segments", Buffer.from("ffd8", "hex"), Buffer.from("ffe10002", "hex"), "image/jpeg"],
    ["a PNG of empty chunks", png.subarray(0, 33), Buffer.alloc(12), "image/png"],
    ["a WebP of empty chunks", Buffer.from("RIFF\0\0\0\0WEBPVP8X\0\0\0\0", "latin1"), Buffer.alloc(8), "image/webp"],
  ] as const)("ends on 30 MB of %s", (_, head, part, type) => {
    expect(wholeImageSize(Buffer.concat([head, Buffer.alloc(30_000_000, part)]), type)).toBe(undefined);
  });
});
