import fs from "node:fs";
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";
import { imageFile, MAX_IMAGE_BYTES } from "./read-image.ts";

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
}

function png(width: number, height: number, extra = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", Buffer.concat([deflateSync(Buffer.alloc(64)), extra])),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const images: Readonly<Record<string, Buffer>> = {
  "image/png": png(7, 1),
  "image/gif": Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64"),
  "image/webp": Buffer.from("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA", "base64"),
  "image/jpeg": Buffer.concat([
    Buffer.from(
      "ffd8ffe000104a46494600010101004800480000ffc0000b080002000301011100ffda00080101000000003fd2cf20",
      "hex",
    ),
    Buffer.from([0xff, 0xd9]),
  ]),
};

test("read_file shows an image as what it is, whatever its name", async () => {
  const { root } = makeWorktree(
    Object.fromEntries(Object.entries(images).map(([type, bytes]) => [`${type}.txt`, bytes])),
  );
  const sizes: Readonly<Record<string, readonly [number, number]>> = {
    "image/png": [7, 1],
    "image/gif": [1, 1],
    "image/webp": [1, 1],
    "image/jpeg": [3, 2],
  };
  for (const [type, bytes] of Object.entries(images)) {
    const result = await toolsIn(root)("read_file", { path: `${type}.txt` });
    const [width, height] = sizes[type] ?? [];
    expect(dataOf(result), type).toMatchObject({ content: "", image: { mime_type: type, width, height } });
    const text = String(result);
    expect(text).toMatch(/^\[image, image\/\w+, \d x \d pixels, \d+ bytes\]\n\[version .{10}\]$/);
    expect(result).toMatchObject({
      content: [
        { type: "text", text },
        { type: "image", mimeType: type, data: bytes.toString("base64") },
      ],
    });
  }
});

test("read_file refuses an image that is cut off anywhere", async () => {
  const cut = Object.entries(images).flatMap(([type, bytes]) =>
    [0.5, 0.9].map((share) => [`${type}-${share}`, bytes.subarray(0, Math.floor(bytes.length * share))] as const),
  );
  const { root } = makeWorktree(Object.fromEntries(cut));
  for (const [path] of cut) {
    const result = await toolsIn(root)("read_file", { path });
    expect(result, path).toMatchObject({ success: false, code: "invalid_image" });
    expect(String(result)).toMatch(
      /it begins like an image \(image\/\w+\) and is not a whole one; make a smaller or whole/,
    );
  }
});

test("imageFile() refuses an image that is too large in bytes or in pixels, and names the package that makes it smaller", () => {
  const large = [
    [
      png(10, 10, Buffer.alloc(MAX_IMAGE_BYTES)),
      /of \d+ bytes, allowed are 3932160, or more where .* is installed; make/,
    ],
    [Buffer.concat([images["image/png"]!, Buffer.alloc(9 * 1024 * 1024)]), /of \d+ bytes, allowed are 3932160/],
    [png(8001, 1), /of 8001 x 1 pixels, allowed are 8000 a side/],
  ] as const;
  for (const [bytes, found] of large) {
    const refused = () => imageFile(bytes, "image/png", "Cannot read");
    expect(refused).toThrow(expect.objectContaining({ code: "file_too_large" }));
    expect(refused).toThrow(found);
  }
  expect(() => imageFile(png(0, 5), "image/png", "Cannot read")).toThrow(
    expect.objectContaining({ code: "invalid_image" }),
  );
});

test("read_file refuses a document that is too long to be looked at", async () => {
  const { root, at } = makeWorktree({ "huge.png": images["image/png"]! });
  fs.truncateSync(at("huge.png"), 33 * 1024 * 1024);
  expect(await toolsIn(root)("read_file", { path: "huge.png" })).toMatchObject({ code: "file_too_large" });
});

test("read_file takes text that begins like an image for text", async () => {
  const { root } = makeWorktree({ "notes.txt": "GIF89a is how a GIF begins\n" });
  expect(dataOf(await toolsIn(root)("read_file", { path: "notes.txt" }))).toMatchObject({ image: null });
});
