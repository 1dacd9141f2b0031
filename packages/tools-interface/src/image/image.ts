import { imageSizeOf, type ImageSize, type ImageType } from "./image-size.ts";

export { IMAGE_TYPES, type ImageSize, type ImageType } from "./image-size.ts";

const JPEG_SCAN = Buffer.from([0xff, 0xda]);
const JPEG_END = Buffer.from([0xff, 0xd9]);
/** The name of a PNG's last chunk, `IEND`. */
const PNG_END = 0x49_45_4e_44;

/** Whether the end of an image is there. */
const ENDS: Readonly<Record<ImageType, (bytes: Buffer) => boolean>> = {
  "image/png": pngEnds,
  "image/jpeg": (bytes) => bytes.lastIndexOf(JPEG_END) > bytes.indexOf(JPEG_SCAN),
  "image/gif": (bytes) => bytes.lastIndexOf(0x3b) > bytes.length - 16,
  "image/webp": (bytes) => bytes.readUInt32LE(4) + 8 <= bytes.length,
};

/**
 * Recognises the kind of an image by its first bytes, of which 16 are enough. `undefined`: none that models look at.
 *
 * @example
 * ```ts
 * const type = imageTypeOf(bytes);
 * const size = type && wholeImageSize(bytes, type);
 * ```
 */
export function imageTypeOf(bytes: Buffer): ImageType | undefined {
  const text = bytes.toString("latin1", 0, 16);
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(text)) return "image/gif";
  return /^RIFF[^]{4}WEBPVP8[ LX]/.test(text) ? "image/webp" : undefined;
}

/**
 * The size of an image whose end is there. `undefined` for bytes that are no whole image of that kind: a provider
 * refuses a request for one image that it cannot read. Takes time at most linear in the length, for any bytes.
 *
 * @example
 * ```ts
 * const type = imageTypeOf(bytes);
 * const size = type && wholeImageSize(bytes, type); // { width: 640, height: 480 }, or undefined for a damaged image
 * ```
 */
export function wholeImageSize(bytes: Buffer, mimeType: ImageType): ImageSize | undefined {
  if (imageTypeOf(bytes) !== mimeType) return undefined;
  const size = imageSizeOf(bytes, mimeType);
  return size !== undefined && size.width > 0 && size.height > 0 && ENDS[mimeType](bytes) ? size : undefined;
}

/** Follows the chunks of a PNG to the last one. */
function pngEnds(bytes: Buffer): boolean {
  for (let at = 8; at + 12 <= bytes.length; at += bytes.readUInt32BE(at) + 12) {
    if (bytes.readUInt32BE(at + 4) === PNG_END) return true;
  }
  return false;
}
