import { success, type ToolSuccess } from "@dispatch/tools-interface";
import type { LineNumbers } from "../text/line-numbers.ts";
import { contentVersion } from "../version/content-version.ts";
import { imageFile, type ImageType } from "./image-file.ts";
import type { FileContents } from "./read-contents.ts";
import { versionNotes } from "./read-notes.ts";
import type { ReadOutput } from "./read-schema.ts";

/** The answer that shows an image. Throws as {@link imageFile} does. */
export async function imageAnswer(
  attempt: string,
  path: string,
  { bytes, size }: FileContents,
  type: ImageType,
  numbers: LineNumbers,
): Promise<ToolSuccess<ReadOutput>> {
  const { mimeType, width, height } = await imageFile(bytes, size, type, attempt);
  const version = bytes && contentVersion(bytes);
  const notes = [`image, ${mimeType}, ${width} x ${height} pixels, ${size} bytes`, ...versionNotes(version)];
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
      { type: "image", data: bytes?.toString("base64") ?? "", mimeType },
    ],
  });
}
