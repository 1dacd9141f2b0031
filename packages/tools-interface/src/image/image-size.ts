/** The kinds of image that models look at. */
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
/** One of them. */
export type ImageType = (typeof IMAGE_TYPES)[number];

/** The size of an image. */
export interface ImageSize {
  /** Pixels across. */
  readonly width: number;
  /** Pixels down. */
  readonly height: number;
}

/** Those of cameras have some twenty before the size. */
const MAX_JPEG_SEGMENTS = 1_000;
/** Limit for header chunks: frames of an animation come after them. */
const MAX_WEBP_CHUNKS = 20;
/** Markers of a JPEG that start a frame: all from C0 to CF but the tables and one that is reserved. */
const isFrameStart = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
/** Markers that have no contents. */
const isAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/**
 * Reads the size of an image in a bounded number of steps: the bytes are untrusted, a program may have written them.
 * `undefined` if they are no image of this kind.
 */
export function imageSizeOf(bytes: Buffer, mimeType: ImageType): ImageSize | undefined {
  try {
    switch (mimeType) {
      case "image/png":
        return bytes.toString("latin1", 12, 16) === "IHDR"
          ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
          : undefined;
      case "image/gif":
        return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
      case "image/jpeg":
        return jpegSize(bytes);
      case "image/webp":
        return webpSize(bytes);
    }
  } catch {
    // It ends too early.
    return undefined;
  }
}

function jpegSize(bytes: Buffer): ImageSize | undefined {
  let at = 2;
  for (let segment = 0; segment < MAX_JPEG_SEGMENTS; segment += 1) {
    if (bytes.readUInt8(at) !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    if (isFrameStart(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    // A byte of padding, or a marker alone.
    if (marker === 0xff) at += 1;
    else if (isAlone(marker)) at += 2;
    else {
      const length = bytes.readUInt16BE(at + 2);
      if (length < 2) return undefined;
      at += 2 + length;
    }
  }
  return undefined;
}

function webpSize(bytes: Buffer): ImageSize | undefined {
  const kind = bytes.toString("latin1", 12, 16);
  if (kind !== "VP8X") return webpFrameSize(bytes, kind, 20);
  let at = 12;
  for (let chunk = 0; chunk < MAX_WEBP_CHUNKS; chunk += 1) {
    const name = bytes.toString("latin1", at, at + 4);
    const isFrame = name === "ANMF" || webpFrameSize(bytes, name, at + 8) !== undefined;
    if (isFrame) return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    const length = bytes.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return undefined;
}

/** The size that the contents of a chunk begin with, if they are those of a picture. */
function webpFrameSize(bytes: Buffer, kind: string, at: number): ImageSize | undefined {
  if (kind === "VP8 " && bytes.readUIntBE(at + 3, 3) === 0x9d_01_2a)
    return { width: bytes.readUInt16LE(at + 6) & 0x3fff, height: bytes.readUInt16LE(at + 8) & 0x3fff };
  if (kind !== "VP8L" || bytes.readUInt8(at) !== 0x2f) return undefined;
  const sides = bytes.readUInt32LE(at + 1);
  return { width: (sides & 0x3fff) + 1, height: ((sides >>> 14) & 0x3fff) + 1 };
}
