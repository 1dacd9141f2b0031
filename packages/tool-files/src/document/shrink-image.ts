import { FilesError } from "../error/files-error.ts";
import { GuardedWork } from "./guarded-work.ts";
import { peerModule } from "./peer-module.ts";

const work = new GuardedWork("resizedImage");

/** Most pixels of an image that is made smaller: each takes four bytes. */
const MAX_PIXELS = 64_000_000;
/** Longest side of the resulting image: model providers scale larger ones down. */
const MAX_SIDE = 2000;

export interface SmallerImage {
  readonly bytes: Buffer;
  readonly mimeType: "image/png" | "image/jpeg";
  readonly width: number;
  readonly height: number;
}

/** Whether the optional package that does it is installed. */
export function canShrinkImages(): boolean {
  return peerModule("@silvia-odwyer/photon-node") !== undefined;
}

/**
 * Makes an image smaller, until it has at most `maxBytes`.
 *
 * @throws {FilesError} When it has too many pixels or takes too much (`file_too_large`), or is damaged (`invalid_image`).
 */
export async function shrunkImage(
  bytes: Buffer,
  { width, height, maxBytes }: { readonly width: number; readonly height: number; readonly maxBytes: number },
  attempt: string,
  signal: AbortSignal,
): Promise<SmallerImage> {
  if (width * height > MAX_PIXELS)
    throw new FilesError(
      `${attempt}: it is an image of ${width} x ${height} pixels, allowed are ${MAX_PIXELS} to be made smaller; make a smaller copy with another tool`,
      { code: "file_too_large" },
    );
  const module = peerModule("@silvia-odwyer/photon-node")!;
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  const to = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const answer = await work.run({ module, bytes, from: { width, height }, to, maxBytes }, attempt, signal);
  if ("failed" in answer)
    throw new FilesError(`${attempt}: it begins like an image and is damaged; make a whole copy with another tool`, {
      code: "invalid_image",
    });
  return { ...answer, bytes: Buffer.from(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.byteLength) };
}
