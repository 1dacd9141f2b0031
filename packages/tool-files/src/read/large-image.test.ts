import zlib from "node:zlib";
import { imageTypeOf, wholeImageSize } from "@dispatch/tools-interface/image";
import { expect, test } from "vitest";
import { makePng, pngOf } from "../../test/make-documents.ts";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";

interface Shown {
  readonly image: { readonly mime_type: string; readonly width: number; readonly height: number };
}

async function show(bytes: Buffer) {
  const { root } = makeWorktree({ "a.png": bytes });
  const result = await toolsIn(root)("read_file", { path: "a.png" });
  const part = result.success ? result.content?.find(({ type }) => type === "image") : undefined;
  const data = Buffer.from(part?.type === "image" ? part.data : "", "base64");
  return { result, data };
}

test.each([
  ["too wide", makePng(9000, 90), 2000, 20],
  ["too high", makePng(50, 10_000), 10, 2000],
  ["too long", makePng(2400, 2000, true), 2000, 1667],
])("read_file shows an image that is %s as a smaller one, and says so", async (_what, bytes, width, height) => {
  const { result, data } = await show(bytes);
  expect(result.success, String(result)).toBe(true);
  expect(String(result)).toContain("too large, shown as image/");
  expect(data.length).toBeLessThan(3.75 * 1024 * 1024);
  expect(wholeImageSize(data, imageTypeOf(data)!)).toEqual({ width, height });
  expect(dataOf<Shown>(result).image).toMatchObject({ width, height });
});

test("read_file shows an image within the limits as it is", async () => {
  const bytes = makePng(300, 200);
  const { result, data } = await show(bytes);
  expect(data.equals(bytes)).toBe(true);
  expect(String(result)).not.toContain("too large");
});

test.each([
  ["many pixels, few bytes", pngOf(60_000, 60_000, zlib.deflateSync(Buffer.alloc(100_000))), "file_too_large"],
  ["fewer pixels than its header says", pngOf(9000, 7000, zlib.deflateSync(Buffer.alloc(1000))), "invalid_image"],
  ["pixels that cannot be decoded", pngOf(9000, 10, Buffer.from("no zlib")), "invalid_image"],
  ["more data than its size needs", pngOf(9000, 10, zlib.deflateSync(Buffer.alloc(300_000_000))), undefined],
])("an image with %s does no harm", async (_what, bytes, code) => {
  const before = process.memoryUsage.rss();
  const { result } = await show(bytes);
  if (code !== undefined) expect(result).toMatchObject({ success: false, code });
  expect(process.memoryUsage.rss() - before).toBeLessThan(1_500_000_000);
  expect((await show(makePng(9000, 90))).result.success).toBe(true);
});
