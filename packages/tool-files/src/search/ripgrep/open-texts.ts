import fs from "node:fs";
import { isTooManyOpenFiles, toFilesError } from "../../error/system-error.ts";
import type { TreeFiles } from "../../list/tree-files.ts";
import type { SearchOmissions } from "../search-omissions.ts";
import type { SearchRequest } from "../search-request.ts";
import { decodedText, searchedText } from "../searched-text.ts";
import type { StreamedFile } from "./line-stream.ts";

/** Files, and bytes if there is more than one, searched by one process. */
const BATCH_FILES = 64;
const BATCH_BYTES = 8 * 1024 * 1024;
/** Milliseconds of reading after which the event loop may do other work. */
const SLICE_MS = 10;

/** Files of a list, from some place on, that are searched by one process. */
export interface OpenTexts {
  readonly files: readonly StreamedFile[];
  /** The place in the list where the next ones begin. */
  readonly next: number;
  close(): void;
}

/** Opens the next files of a list. Files that cannot be searched are left out and recorded in `omissions`. */
export async function openTexts(
  reader: TreeFiles,
  paths: readonly string[],
  from: number,
  { query, encoding, attempt }: SearchRequest,
  omissions: SearchOmissions,
): Promise<OpenTexts> {
  const files: StreamedFile[] = [];
  const open: number[] = [];
  const close = () => open.splice(0).forEach((fd) => fs.closeSync(fd));
  let [next, bytes, since] = [from, 0, performance.now()];
  try {
    for (
      ;
      next < paths.length && files.length < (query.multiline ? 1 : BATCH_FILES) && bytes < BATCH_BYTES;
      next += 1
    ) {
      const path = paths[next]!;
      const text = openText(reader, path, encoding, open);
      if (text === undefined) {
        omissions.add("unreadable", path);
        continue;
      }
      bytes += text.size;
      if (query.multiline && text.file.state !== "stated" && text.file.held === undefined) {
        omissions.add("too_large", path);
        continue;
      }
      const { file } = text;
      const decoded = file.state === "stated" ? await decodedText(file.bytes, encoding!) : file;
      files.push({ path, text: decoded, start: undefined, cuts: [] });
      if (performance.now() - since > SLICE_MS) {
        await new Promise((resolve) => setImmediate(resolve));
        since = performance.now();
      }
    }
    return { files, next, close };
  } catch (error) {
    close();
    throw isTooManyOpenFiles(error) ? toFilesError(error, attempt) : error;
  }
}

function openText(reader: TreeFiles, path: string, stated: string | undefined, open: number[]) {
  let fd: number | undefined;
  let keep = false;
  try {
    const opened = reader.open(path);
    ({ fd } = opened);
    const file = searchedText(fd, opened.size, stated);
    keep = file.state !== "stated" && file.held === undefined;
    if (keep) open.push(fd);
    return { file, size: opened.size };
  } catch (error) {
    if (isTooManyOpenFiles(error)) throw error;
    return undefined;
  } finally {
    if (fd !== undefined && !keep) fs.closeSync(fd);
  }
}
