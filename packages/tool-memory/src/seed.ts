import { createReadStream, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync, createBrotliDecompress } from "node:zlib";

/** For a database that is created: segments of the log of 1 MB instead of 16, as an empty database has several. */
export const INITDB_PARAMS: readonly string[] = ["--wal-segsize=1"];

/**
 * An empty database, made when the package is built: creating one takes PostgreSQL seconds and half a gigabyte, unpacking
 * this one a fraction of a second. The same path from `src` and from `dist`.
 */
export const SEED_FILE: string = fileURLToPath(new URL("../dist/seed.tar.br", import.meta.url));

/** The seed as a tar archive; `undefined` where the package was not built. */
export function readSeed(): Buffer | undefined {
  try {
    return brotliDecompressSync(readFileSync(SEED_FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Writes the files of the seed into a folder that is created; false where the package was not built. */
export async function unpackSeed(folder: string): Promise<boolean> {
  if (!existsSync(SEED_FILE)) return false;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unpacked = createBrotliDecompress({ chunkSize: 2 ** 16 });
  const reading = pipeline(createReadStream(SEED_FILE), unpacked);
  for await (const { path, bytes } of entries(unpacked)) {
    const target = join(folder, path);
    mkdirSync(bytes === undefined ? target : dirname(target), { recursive: true, mode: 0o700 });
    if (bytes !== undefined) writeFileSync(target, bytes, { mode: 0o600, flag: "wx" });
  }
  await reading;
  return true;
}

const BLOCK = 512;

/** What a ustar archive (POSIX.1-1988) holds: plain files and folders with short names, as PGlite writes it. */
async function* entries(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<{ readonly path: string; readonly bytes: Buffer | undefined }> {
  let rest: Buffer = Buffer.alloc(0);
  let wanted = BLOCK;
  let entry: { readonly path: string; readonly size: number } | undefined;
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= wanted) {
      const part = rest.subarray(0, wanted);
      rest = rest.subarray(wanted);
      if (entry === undefined) {
        const text = (from: number, to: number): string => part.toString("latin1", from, to).replace(/\0.*$/su, "");
        const [path, size] = [text(0, 100), Number.parseInt(text(124, 136).trim() || "0", 8)];
        if (path !== "" && text(156, 157) === "5") yield { path, bytes: undefined };
        else if (path !== "") entry = { path, size };
        wanted = entry === undefined ? BLOCK : Math.ceil(size / BLOCK) * BLOCK;
      } else {
        yield { path: entry.path, bytes: part.subarray(0, entry.size) };
        entry = undefined;
        wanted = BLOCK;
      }
    }
  }
}
