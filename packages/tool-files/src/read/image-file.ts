import { FilesError } from "../error/files-error.ts";

/** Longest image shown, in bytes: 3.75 MiB, which are 5 MiB in base64, as much as model providers take. */
export const MAX_IMAGE_BYTES: number = 3.75 * 1024 * 1024;
/** Longest side of an image shown, in pixels: as much as model providers take. */
const MAX_SIDE = 8000;

/** The kinds of image that models look at. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** An image that can be shown. */
export interface ImageFile {
  /** Its media type. */
  readonly mimeType: ImageType;
  /** Pixels across. */
  readonly width: number;
  /** Pixels down. */
  readonly height: number;
}

/** Which image begins so, whatever its name says. `undefined`: none that is shown. */
export function imageType(head: Buffer): ImageType | undefined {
  const text = head.toString("latin1", 0, 16);
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(text)) return "image/gif";
  return /^RIFF[^]{4}WEBPVP8[ LX]/.test(text) ? "image/webp" : undefined;
}

/**
 * Looks at an image as closely as it takes to show it: its length, whether its end is there, its size in pixels.
 *
 * @throws {FilesError} For one that is too large (`file_too_large`) or damaged (`invalid_image`).
 */
export async function imageFile(
  bytes: Buffer | undefined,
  size: number,
  mimeType: ImageType,
  attempt: string,
): Promise<ImageFile> {
  const convert = "make a smaller or whole copy with another tool to look at it";
  if (bytes === undefined || size > MAX_IMAGE_BYTES) {
    throw new FilesError(
      `${attempt}: it is an image (${mimeType}) of ${size} bytes, allowed are ${MAX_IMAGE_BYTES}; ${convert}`,
      { code: "file_too_large" },
    );
  }
  const { width, height } = await pixels(bytes);
  if (!ENDS[mimeType](bytes) || width === 0 || height === 0) {
    throw new FilesError(`${attempt}: it begins like an image (${mimeType}) and is not a whole one; ${convert}`, {
      code: "invalid_image",
    });
  }
  if (width > MAX_SIDE || height > MAX_SIDE) {
    throw new FilesError(
      `${attempt}: it is an image (${mimeType}) of ${width} x ${height} pixels, allowed are ${MAX_SIDE} a side; ${convert}`,
      { code: "file_too_large" },
    );
  }
  return { mimeType, width, height };
}

async function pixels(bytes: Buffer): Promise<{ readonly width: number; readonly height: number }> {
  // Loaded here: most programs never meet an image.
  const { imageSize } = await import("image-size");
  try {
    return imageSize(bytes);
  } catch {
    return { width: 0, height: 0 };
  }
}

const JPEG_SCAN = Buffer.from([0xff, 0xda]);
const JPEG_END = Buffer.from([0xff, 0xd9]);

/** Whether the end of an image is there. */
const ENDS: Readonly<Record<ImageType, (bytes: Buffer) => boolean>> = {
  "image/png": pngEnds,
  "image/jpeg": (bytes) => bytes.lastIndexOf(JPEG_END) > bytes.indexOf(JPEG_SCAN),
  "image/gif": (bytes) => bytes.lastIndexOf(0x3b) > bytes.length - 16,
  "image/webp": (bytes) => bytes.readUInt32LE(4) + 8 <= bytes.length,
};

/** Follows the chunks of a PNG to the last one. */
function pngEnds(bytes: Buffer): boolean {
  for (let at = 8; at + 12 <= bytes.length; at += bytes.readUInt32BE(at) + 12) {
    if (bytes.toString("latin1", at + 4, at + 8) === "IEND") return true;
  }
  return false;
}
