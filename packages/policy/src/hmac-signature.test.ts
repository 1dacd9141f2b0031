import { createHash, createHmac } from "node:crypto";
import { sha256 } from "@dispatch/tools-interface/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hmacSignature, isSignedWith } from "./hmac-signature.ts";

const texts = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.string({ unit: "grapheme", maxLength: 300 }));

test("sha256() is that of Node for any text", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(sha256(text)).toBe(createHash("sha256").update(text).digest("hex"));
    }),
  );
});

test("hmacSignature() is that of Node for any key and text, and isSignedWith() knows it", () => {
  const keys = fc.oneof(texts, fc.uint8Array({ maxLength: 200 }));
  fc.assert(
    fc.property(keys, texts, texts, (key, text, other) => {
      const signature = hmacSignature(key, text);
      expect(signature).toBe(createHmac("sha256", key).update(text).digest("base64url"));
      expect(isSignedWith(key, text, signature)).toBe(true);
      expect(isSignedWith(key, other, signature)).toBe(other === text);
    }),
  );
});

test("isSignedWith() refuses every other signature", () => {
  const signature = hmacSignature("key", "text");
  expect(isSignedWith("key", "text", signature)).toBe(true);
  for (const wrong of [
    "",
    "=",
    "é",
    signature.slice(0, -2),
    `${signature}AA`,
    `B${signature.slice(1)}`,
    "A".repeat(43),
  ]) {
    if (wrong !== signature) expect(isSignedWith("key", "text", wrong), wrong).toBe(false);
  }
});
