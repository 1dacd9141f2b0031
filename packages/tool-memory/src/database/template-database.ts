import { closeSync, createReadStream, existsSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync, createBrotliDecompress } from "node:zlib";

/** For a database that is created: segments of the log of 1 MB instead of 16, as an empty database has several. */
export const INITDB_PARAMS: readonly string[] = ["--wal-segsize=1"];

/**
 * The database of an empty memory, made when the package is built: creating one takes PostgreSQL seconds and half a gigabyte,
 * unpacking this one a fraction of a second. The same path from `src` and from `dist`.
 */
export const TEMPLATE_FILE: string = fileURLToPath(new URL("../../dist/template.tar.br", import.meta.url));

/** The seed as a tar archive; `undefined` where the package was not built. */
export function readTemplate(): Buffer | undefined {
  try {
    return brotliDecompressSync(readFileSync(TEMPLATE_FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Writes the files of the seed into a folder that is created; false where the package was not built. */
export async function unpackTemplate(folder: string): Promise<boolean> {
  if (!existsSync(TEMPLATE_FILE)) return false;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unpacked = createBrotliDecompress({ chunkSize: 2 ** 16 });
  const reading = pipeline(createReadStream(TEMPLATE_FILE), unpacked);
  await writeEntries(unpacked, folder);
  await reading;
  return true;
}

const BLOCK = 512;

/**
 * Writes what a ustar archive (POSIX.1-1988) holds: plain files and folders with short names, as PGlite writes it. Piece by
 * piece as it comes: what is gathered first stays with the process for as long as it runs.
 */
async function writeEntries(pieces: AsyncIterable<Buffer>, folder: string): Promise<void> {
  const header = Buffer.alloc(BLOCK);
  let known = 0;
  let file: number | undefined;
  let [content, padding] = [0, 0];
  try {
    for await (const piece of pieces) {
      for (let at = 0, taken = 0; at < piece.length; at += taken) {
        const rest = piece.length - at;
        if (content > 0 && file !== undefined) {
          taken = writeSync(file, piece, at, Math.min(content, rest));
          content -= taken;
        } else if (padding > 0) {
          taken = Math.min(padding, rest);
          padding -= taken;
        } else {
          taken = piece.copy(header, known, at);
          known = (known + taken) % BLOCK;
          if (known > 0) continue;
          const { path, isFolder, size } = toEntry(header);
          if (path === "") continue;
          const target = join(folder, path);
          mkdirSync(isFolder ? target : dirname(target), { recursive: true, mode: 0o700 });
          if (isFolder) continue;
          file = openSync(target, "wx", 0o600);
          [content, padding] = [size, (BLOCK - (size % BLOCK)) % BLOCK];
        }
        if (content === 0 && file !== undefined) {
          closeSync(file);
          file = undefined;
        }
      }
    }
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function toEntry(header: Buffer): { readonly path: string; readonly isFolder: boolean; readonly size: number } {
  const text = (from: number, to: number): string => header.toString("latin1", from, to).replace(/\0.*$/su, "");
  return {
    path: text(0, 100),
    isFolder: text(156, 157) === "5",
    size: Number.parseInt(text(124, 136).trim() || "0", 8),
  };
}
