import { success, type ToolSuccess } from "@dispatch/tools-interface";
import type { ImageType } from "@dispatch/tools-interface/image";
import { canShrinkImages, shrunkImage } from "../document/shrink-image.ts";
import type { LineNumbers } from "../text/line-numbers.ts";
import { contentVersion } from "../version/content-version.ts";
import { imageFile, isShownAsIs, MAX_IMAGE_BYTES, wholeImage } from "./image-file.ts";
import { versionNotes } from "./read-notes.ts";
import type { ReadOutput } from "./read-schema.ts";

export interface ImageCall {
  readonly attempt: string;
  readonly path: string;
  readonly numbers: LineNumbers;
  readonly signal: AbortSignal;
}

/** The answer that shows an image, a smaller one where it is too large and that can be made. Throws as {@link imageFile} does. */
export async function imageAnswer(
  { attempt, path, numbers, signal }: ImageCall,
  bytes: Buffer,
  type: ImageType,
): Promise<ToolSuccess<ReadOutput>> {
  const found = (canShrinkImages() ? wholeImage : imageFile)(bytes, type, attempt);
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
