import { describe, expect, test } from "vitest";
import { imageSizeOf } from "./image-size.ts";

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(" ", ""), "hex");
const bytesOf = (head: string, rest: string): Buffer => Buffer.concat([Buffer.from(head, "latin1"), hex(rest)]);

describe("imageSizeOf()", () => {
  test.each([
    ["image/png", bytesOf("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "00000140 000000f0 08060000")],
    ["image/gif", bytesOf("GIF89a", "4001 f000 80")],
    ["image/jpeg", hex("ffd8 ffe0 0006 4a464946 ff ff ffdb 0004 0000 ffc4 0004 0000 ffc2 0011 08 00f0 0140 03")],
    ["image/webp", bytesOf("RIFF\0\0\0\0WEBPVP8 \x16\0\0\0", "300100 9d012a 4001 f000 0ec0")],
    ["image/webp", bytesOf("RIFF\0\0\0\0WEBPVP8L\x16\0\0\0", "2f 3fc13b00 000000")],
    ["image/webp", bytesOf("RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0", "10000000 3f0100 ef0000 414e4d46 00000000 0000")],
  ] as const)("reads %s: %o", (type, bytes) => {
    expect(imageSizeOf(bytes, type)).toEqual({ width: 320, height: 240 });
  });

  test.each(["image/png", "image/gif", "image/jpeg", "image/webp"] as const)(
    "of %s that ends too early says nothing",
    (type) => {
      for (let length = 0; length < 10; length += 1)
        expect(imageSizeOf(Buffer.alloc(length, 0xff), type)).toBe(undefined);
    },
  );
});
