import { success, type ToolSuccess } from "@dispatch/tools-interface";
import { type ImageType, wholeImageSize } from "@dispatch/tools-interface/image";
import { GuardedWork } from "../document/guarded-work.ts";
import { peerModule } from "../document/peer-module.ts";
import { FilesError } from "../error/files-error.ts";
import { asBuffer } from "../text/bytes.ts";
import { contentVersion } from "../version/content-version.ts";
import type { ReadOutput } from "./read-schema.ts";
import { type ReadCall, versionNotes } from "./text-answer.ts";

/** The answer that shows an image, a smaller one where it is too large and that can be made. Throws as {@link imageFile} does. */
export async function imageAnswer(
  { attempt, path, numbers, signal }: ReadCall & { readonly signal: AbortSignal },
  bytes: Buffer,
  type: ImageType,
): Promise<ToolSuccess<ReadOutput>> {
  const canShrink = peerModule(SHRINKER) !== undefined;
  const found = (canShrink ? wholeImage : imageFile)(bytes, type, attempt);
  const whole = { ...found, bytes };
  const shown = isShownAsIs(found, bytes.length)
    ? whole
    : await shrunkImage(bytes, { ...found, maxBytes: MAX_IMAGE_BYTES }, attempt, signal);
  const { mimeType, width, height } = shown;
  const version = contentVersion(bytes);
  const notes = [
    `image, ${found.mimeType}, ${found.width} x ${found.height} pixels, ${bytes.length} bytes`,
    ...(shown === whole ? [] : [`too large, shown as ${mimeType}, ${width} x ${height} pixels`]),
    ...versionNotes(version),
  ];
  const output = notes.map((note) => `[${note}]`).join("\n");
  return success(output, {
    data: {
      path,
      content: "",
      start_line: numbers.of(0),
      end_line: numbers.of(0) - 1,
      total_lines: null,
      next: null,
      cut: [],
      encoding: null,
      version: version ?? null,
      image: { mime_type: mimeType, width, height },
    },
    content: [
      { type: "text", text: output },
      { type: "image", data: shown.bytes.toString("base64"), mimeType },
    ],
  });
}

/** Longest image shown, in bytes: 3.75 MiB, which are 5 MiB in base64, as much as model providers take. */
export const MAX_IMAGE_BYTES: number = 3.75 * 1024 * 1024;
/** Longest side of an image shown, in pixels: as much as model providers take. */
const MAX_SIDE = 8000;
const CONVERT = "make a smaller or whole copy with another tool to look at it";

interface ImageFile {
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
    `${attempt}: it is an image (${mimeType}) of ${found}, allowed are ${allowed}, or more where the optional package ${SHRINKER} is installed; ${CONVERT}`,
    { code: "file_too_large" },
  );
}

/** Whether an image of that length is shown without being made smaller. */
function isShownAsIs({ width, height }: ImageFile, length: number): boolean {
  return length <= MAX_IMAGE_BYTES && width <= MAX_SIDE && height <= MAX_SIDE;
}

/**
 * Looks whether the end of an image is there, and how large it is in pixels, as its header says.
 *
 * @throws {FilesError} For one that is damaged; code `invalid_image`.
 */
function wholeImage(bytes: Buffer, mimeType: ImageType, attempt: string): ImageFile {
  const size = wholeImageSize(bytes, mimeType);
  if (size === undefined) {
    throw new FilesError(`${attempt}: it begins like an image (${mimeType}) and is not a whole one; ${CONVERT}`, {
      code: "invalid_image",
    });
  }
  return { mimeType, ...size };
}

const work = new GuardedWork("resizedImage");
/** The optional package that makes images smaller. */
const SHRINKER = "@silvia-odwyer/photon-node";

/** Most pixels of an image that is made smaller: each takes four bytes. */
const MAX_PIXELS = 64_000_000;
/** Longest side of the resulting image: model providers scale larger ones down. */
const MAX_SMALLER_SIDE = 2000;

/**
 * Makes an image smaller, until it has at most `maxBytes`.
 *
 * @throws {FilesError} When it has too many pixels or takes too much (`file_too_large`), or is damaged (`invalid_image`).
 */
async function shrunkImage(
  bytes: Buffer,
  { width, height, maxBytes }: { readonly width: number; readonly height: number; readonly maxBytes: number },
  attempt: string,
  signal: AbortSignal,
): Promise<ImageFile & { readonly bytes: Buffer }> {
  if (width * height > MAX_PIXELS)
    throw new FilesError(
      `${attempt}: it is an image of ${width} x ${height} pixels, allowed are ${MAX_PIXELS} to be made smaller; make a smaller copy with another tool`,
      { code: "file_too_large" },
    );
  const module = peerModule(SHRINKER)!;
  const scale = Math.min(1, MAX_SMALLER_SIDE / Math.max(width, height));
  const to = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const answer = await work.run({ module, bytes, from: { width, height }, to, maxBytes }, attempt, signal);
  if ("failed" in answer)
    throw new FilesError(`${attempt}: it begins like an image and is damaged; make a whole copy with another tool`, {
      code: "invalid_image",
    });
  return { ...answer, bytes: asBuffer(answer.bytes) };
}
