import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";

/** For a database that is created: segments of the log of 1 MB instead of 16, as an empty database has several. */
export const INITDB_PARAMS: readonly string[] = ["--wal-segsize=1"];

/**
 * An empty database, made when the package is built: creating one takes PostgreSQL seconds and half a gigabyte, unpacking
 * this one a fraction of a second. The same path from `src` and from `dist`.
 */
export const SEED_FILE: string = fileURLToPath(new URL("../dist/seed.tar.br", import.meta.url));

/** The seed as a tar archive; `undefined` where the package was not built. */
export function readSeed(): Buffer | undefined {
  return existsSync(SEED_FILE) ? brotliDecompressSync(readFileSync(SEED_FILE)) : undefined;
}

/** Writes the files of a seed into a folder that is created. */
export function unpackSeed(tar: Buffer, folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const { path, bytes } of entries(tar)) {
    const target = join(folder, path);
    if (bytes === undefined) {
      mkdirSync(target, { recursive: true, mode: 0o700 });
      continue;
    }
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    writeFileSync(target, bytes, { mode: 0o600, flag: "wx" });
  }
}

/** What a ustar archive (POSIX.1-1988) holds: plain files and folders with short names, as PGlite writes it. */
function* entries(tar: Buffer): Iterable<{ readonly path: string; readonly bytes: Buffer | undefined }> {
  const text = (from: number, to: number): string => tar.toString("latin1", from, to).replace(/\0.*$/su, "");
  for (let at = 0; at + 512 <= tar.length;) {
    const path = text(at, at + 100);
    if (path === "") return;
    const size = Number.parseInt(text(at + 124, at + 136).trim() || "0", 8);
    const isFolder = text(at + 156, at + 157) === "5";
    at += 512;
    yield { path, bytes: isFolder ? undefined : tar.subarray(at, at + size) };
    at += Math.ceil(size / 512) * 512;
  }
}
