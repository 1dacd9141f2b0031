import { imageSizeOf, type ImageType } from "./image-size.ts";

/** Longest side, in pixels: as much as model providers take. */
const MAX_SIDE = 8_000;

const JPEG_END = Buffer.from([0xff, 0xd9]);

/** The first bytes of each kind, one character for each byte, and how its last ones can be told. */
const FORMS: {
  readonly [type in ImageType]: { readonly start: RegExp; readonly isWhole: (bytes: Buffer) => boolean };
} = {
  "image/png": { start: /^\x89PNG\r\n\x1a\n/, isWhole: (bytes) => bytes.includes("IEND", -12, "latin1") },
  "image/jpeg": { start: /^\xff\xd8\xff/, isWhole: (bytes) => bytes.lastIndexOf(JPEG_END) > 2 },
  "image/gif": { start: /^GIF8[79]a/, isWhole: (bytes) => bytes.lastIndexOf(";") >= bytes.length - 16 },
  "image/webp": {
    start: /^RIFF[^]{4}WEBPVP8[ LX]/,
    isWhole: (bytes) => bytes.readUInt32LE(4) + 8 <= bytes.length,
  },
};

/** Whether images of this kind can be shown. */
export function isImageType(mimeType: string): mimeType is ImageType {
  return Object.hasOwn(FORMS, mimeType);
}

/** Why an image cannot be shown. A provider refuses a whole request for one image that it cannot read. */
export function imageFault(bytes: Buffer, mimeType: ImageType): string | undefined {
  const { start, isWhole } = FORMS[mimeType];
  if (!start.test(bytes.toString("latin1", 0, 16))) return `its data does not begin like ${mimeType}`;
  const { width, height } = imageSizeOf(bytes, mimeType) ?? { width: 0, height: 0 };
  if (width === 0 || height === 0 || !isWhole(bytes))
    return `its data begins like ${mimeType} and is not a whole image`;
  if (width <= MAX_SIDE && height <= MAX_SIDE) return undefined;
  return `it has ${width} x ${height} pixels, allowed are ${MAX_SIDE} a side`;
}
