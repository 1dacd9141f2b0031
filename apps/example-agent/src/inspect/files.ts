import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** A file of the page. */
export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
}

const DIRECTORY = path.join(import.meta.dirname, "page");

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The files of the page by their paths in its address, as they are. No request ever names a file on the disk. */
export function readPageFiles(): ReadonlyMap<string, PageFile> {
  const files = readdirSync(DIRECTORY).flatMap((name): (readonly [string, PageFile])[] => {
    const type = TYPES[path.extname(name)];
    const place = name === "index.html" ? "/" : `/${name}`;
    return type === undefined ? [] : [[place, { type, body: readFileSync(path.join(DIRECTORY, name)) }]];
  });
  return new Map(files);
}
