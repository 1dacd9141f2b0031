import fc from "fast-check";

const SURROGATES = 0x800;

/**
 * A character of any code point, half of them ASCII. fast-check's own `unit: "binary"` is the same but takes a second to
 * be built.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0x10ffff - SURROGATES }))
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + SURROGATES));
