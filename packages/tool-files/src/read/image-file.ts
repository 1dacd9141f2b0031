import { FilesError } from "../error/files-error.ts";

/** Longest image shown, in bytes: 3.75 MiB, which are 5 MiB in base64, as much as model providers take. */
export const MAX_IMAGE_BYTES: number = 3.75 * 1024 * 1024;
/** Longest side of an image shown, in pixels: as much as model providers take. */
const MAX_SIDE = 8000;
const CONVERT = "make a smaller or whole copy with another tool to look at it";

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
 * Looks at an image as closely as it takes to show it as it is: its length, whether its end is there, its size in pixels.
 *
 * @throws {FilesError} For one that is too large (`file_too_large`) or damaged (`invalid_image`).
 */
export async function imageFile(bytes: Buffer, mimeType: ImageType, attempt: string): Promise<ImageFile> {
  const image = await wholeImage(bytes, mimeType, attempt);
  if (isShownAsIs(image, bytes.length)) return image;
  const { width, height } = image;
  const [found, allowed] =
    bytes.length > MAX_IMAGE_BYTES
      ? [`${bytes.length} bytes`, `${MAX_IMAGE_BYTES}`]
      : [`${width} x ${height} pixels`, `${MAX_SIDE} a side`];
  throw new FilesError(
    `${attempt}: it is an image (${mimeType}) of ${found}, allowed are ${allowed}, or more where the optional package @silvia-odwyer/photon-node is installed; ${CONVERT}`,
    { code: "file_too_large" },
  );
}

/** Whether an image of that length is shown without being made smaller. */
export function isShownAsIs({ width, height }: ImageFile, length: number): boolean {
  return length <= MAX_IMAGE_BYTES && width <= MAX_SIDE && height <= MAX_SIDE;
}

/**
 * Looks whether the end of an image is there, and how large it is in pixels, as its header says.
 *
 * @throws {FilesError} For one that is damaged; code `invalid_image`.
 */
export async function wholeImage(bytes: Buffer, mimeType: ImageType, attempt: string): Promise<ImageFile> {
  const { width, height } = await pixels(bytes);
  if (!ENDS[mimeType](bytes) || width === 0 || height === 0) {
    throw new FilesError(`${attempt}: it begins like an image (${mimeType}) and is not a whole one; ${CONVERT}`, {
      code: "invalid_image",
    });
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
