import { wholeImageSize, type ImageType } from "@dispatch/tools-interface/image";
import { FilesError } from "../error/files-error.ts";

/** Longest image shown, in bytes: 3.75 MiB, which are 5 MiB in base64, as much as model providers take. */
export const MAX_IMAGE_BYTES: number = 3.75 * 1024 * 1024;
/** Longest side of an image shown, in pixels: as much as model providers take. */
const MAX_SIDE = 8000;
const CONVERT = "make a smaller or whole copy with another tool to look at it";

export interface ImageFile {
  readonly mimeType: ImageType;
  readonly width: number;
  readonly height: number;
}

/**
 * Looks at an image as closely as it takes to show it as it is: its length, whether its end is there, its size in pixels.
 *
 * @throws {FilesError} For one that is too large (`file_too_large`) or damaged (`invalid_image`).
 */
export function imageFile(bytes: Buffer, mimeType: ImageType, attempt: string): ImageFile {
  const image = wholeImage(bytes, mimeType, attempt);
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
export function wholeImage(bytes: Buffer, mimeType: ImageType, attempt: string): ImageFile {
  const size = wholeImageSize(bytes, mimeType);
  if (size === undefined) {
    throw new FilesError(`${attempt}: it begins like an image (${mimeType}) and is not a whole one; ${CONVERT}`, {
      code: "invalid_image",
    });
  }
  return { mimeType, ...size };
}
