import { describe, expect, test } from "vitest";
import { MAX_IMAGES, MAX_IMAGE_CHARS, ImageCollector } from "./image-collector.ts";

/** The smallest image of each kind. */
const SMALLEST: { readonly [mimeType: string]: string } = {
  "image/png": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==",
  "image/jpeg": `/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP${"/".repeat(86)}wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxD/2Q==`,
  "image/gif": "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
  "image/webp": "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA",
};
const bytesOf = (mimeType: string): Buffer => Buffer.from(SMALLEST[mimeType] ?? "", "base64");
const image = (mimeType: string, bytes = bytesOf(mimeType)) => ({
  type: "image",
  mimeType,
  data: bytes.toString("base64"),
});
const png = bytesOf("image/png");
const wide = Buffer.from(png);
wide.writeUInt32BE(100_000, 16);

const longJpeg = Buffer.alloc(100_002);
for (let at = 2; at < longJpeg.length; at += 4) longJpeg.writeUInt32BE(0xff_e0_00_02, at);
longJpeg.writeUInt16BE(0xff_d8, 0);
longJpeg.writeUInt16BE(0xff_d9, longJpeg.length - 2);
const webp = (kind: string, contents: Buffer): Buffer => {
  const head = Buffer.from(`RIFF    WEBP${kind}    `);
  head.writeUInt32LE(contents.length + 12, 4);
  head.writeUInt32LE(contents.length, 16);
  return Buffer.concat([head, contents]);
};

describe("ImageCollector", () => {
  test.each(Object.keys(SMALLEST))("takes %s", async (mimeType) => {
    const images = new ImageCollector();
    expect(await images.extractFrom([image(mimeType)])).toEqual([
      expect.stringMatching(/^\[image 1: image\/\w+, \d+ bytes\]$/),
    ]);
    expect(images.parts).toEqual([image(mimeType)]);
  });

  test.each([
    ["another kind than it says", { ...image("image/png"), mimeType: "image/jpeg" }, /does not begin like image\/jpeg/],
    ["a beginning alone", image("image/png", png.subarray(0, 8)), /not a whole image/],
    ["a head without an image", image("image/png", png.subarray(0, 40)), /not a whole image/],
    ["the beginning of a JPEG", image("image/jpeg", Buffer.from([0xff, 0xd8, 0xff, 0xe0])), /not a whole image/],
    ["a GIF without an end", image("image/gif", bytesOf("image/gif").subarray(0, 20)), /not a whole image/],
    ["half a WebP", image("image/webp", bytesOf("image/webp").subarray(0, 30)), /not a whole image/],
    ["a JPEG of segments without end", image("image/jpeg", longJpeg), /not a whole image/],
    ["a WebP of zeros", image("image/webp", webp("VP8L", Buffer.alloc(40))), /not a whole image/],
    ["a WebP without a picture", image("image/webp", webp("VP8X", Buffer.alloc(40))), /not a whole image/],
    ["a WebP that begins like a picture", image("image/webp", webp("VP8 ", Buffer.alloc(40))), /not a whole image/],
    [
      "an image of no pixels",
      image("image/png", Buffer.concat([png.subarray(0, 16), Buffer.alloc(8), png.subarray(24)])),
      /not a whole image/,
    ],
    ["an image that is too wide", image("image/png", wide), /100000 x 1 pixels, allowed are 8000 a side/],
    ["a kind that no model takes", { ...image("image/png"), mimeType: "text/html" }, /allowed are image\/png/],
    ["a data URL", { ...image("image/png"), data: `data:image/png;base64,${image("image/png").data}` }, /not base64/],
    [
      "what is too large",
      image("image/png", Buffer.concat([png, Buffer.alloc(MAX_IMAGE_CHARS)])),
      /5000000 characters of base64 in all/,
    ],
  ])("refuses %s", async (_, value, reason) => {
    const images = new ImageCollector();
    expect(await images.extractFrom({ value })).toEqual({ value: expect.stringMatching(reason) });
    expect(images.parts).toEqual([]);
    await expect(images.showImage.call([value])).rejects.toThrow(reason);
  });

  test("takes no more than so many", async () => {
    const images = new ImageCollector();
    const left = (await images.extractFrom(
      Array.from({ length: MAX_IMAGES + 1 }, () => image("image/gif")),
    )) as string[];
    expect(images.parts.length).toBe(MAX_IMAGES);
    expect(left.at(-1)).toContain("allowed are 8 images a program");
  });

  test("leaves other values as they are", async () => {
    const value = { type: "image", data: 1, list: [null, "x", { type: "image" }], ["__proto__x"]: true };
    expect(await new ImageCollector().extractFrom(value)).toEqual(value);
  });
});
