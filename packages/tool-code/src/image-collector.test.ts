import { describe, expect, test } from "vitest";
import { MAX_IMAGES, MAX_IMAGE_CHARS, ImageCollector } from "./image-collector.ts";

const START: { readonly [mimeType: string]: readonly number[] } = {
  "image/png": [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  "image/jpeg": [0xff, 0xd8, 0xff, 0xe0],
  "image/gif": [...Buffer.from("GIF89a")],
  "image/webp": [...Buffer.from("RIFF"), 0xfb, 0xff, 0x3e, 0x7f, ...Buffer.from("WEBP")],
};
const image = (mimeType: string, bytes = 100) => ({
  type: "image",
  mimeType,
  data: Buffer.concat([Buffer.from(START[mimeType] ?? []), Buffer.alloc(bytes)]).toString("base64"),
});

describe("ImageCollector", () => {
  test.each(Object.keys(START))("takes %s", (mimeType) => {
    const images = new ImageCollector();
    expect(images.extractFrom([image(mimeType)])).toEqual([
      expect.stringMatching(/^\[image 1: image\/\w+, \d+ bytes\]$/),
    ]);
    expect(images.parts).toEqual([image(mimeType)]);
  });

  test.each([
    ["another kind than it says", { ...image("image/png"), mimeType: "image/jpeg" }, /does not begin like image\/jpeg/],
    ["a kind that no model takes", { ...image("image/png"), mimeType: "text/html" }, /allowed are image\/png/],
    ["a data URL", { ...image("image/png"), data: `data:image/png;base64,${image("image/png").data}` }, /not base64/],
    ["what is too large", image("image/png", MAX_IMAGE_CHARS), /5000000 characters of base64 in all/],
  ])("refuses %s", (_, value, reason) => {
    const images = new ImageCollector();
    expect(images.extractFrom({ value })).toEqual({ value: expect.stringMatching(reason) });
    expect(images.parts).toEqual([]);
    expect(() => images.showImage.call([value])).toThrow(reason);
  });

  test("takes no more than so many", () => {
    const images = new ImageCollector();
    const left = images.extractFrom(Array.from({ length: MAX_IMAGES + 1 }, () => image("image/gif"))) as string[];
    expect(images.parts.length).toBe(MAX_IMAGES);
    expect(left.at(-1)).toContain("allowed are 8 images a program");
  });

  test("leaves other values as they are", () => {
    const value = { type: "image", data: 1, list: [null, "x", { type: "image" }], ["__proto__x"]: true };
    expect(new ImageCollector().extractFrom(value)).toEqual(value);
  });
});
