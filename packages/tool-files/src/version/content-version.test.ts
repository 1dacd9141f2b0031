import { expect, test } from "vitest";
import { contentVersion, MAX_EDIT_BYTES } from "./content-version.ts";

test("contentVersion() gives the beginning of the base64url of the SHA-256", () => {
  expect(contentVersion(Buffer.from(""))).toBe("47DEQpj8HB");
  expect(contentVersion(Buffer.from("abc"))).toBe("ungWv48Bz-");
});

test("contentVersion() differs when a single byte does, line ends and byte order mark included", () => {
  const texts = ["a\nb", "a\r\nb", "\ufeffa\nb", "a\nb\n"];
  expect(new Set(texts.map((text) => contentVersion(Buffer.from(text)))).size).toBe(texts.length);
});

test("contentVersion() gives none when the bytes are more than can be edited", () => {
  const most = Buffer.alloc(MAX_EDIT_BYTES);
  expect(contentVersion(most)).toHaveLength(10);
  expect(contentVersion(Buffer.concat([most, Buffer.from("a")]))).toBeUndefined();
});
