import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

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
  const files = readdirSync(DIRECTORY, { recursive: true, encoding: "utf8" }).flatMap(
    (name): (readonly [string, PageFile])[] => {
      const type = TYPES[path.extname(name)];
      const place = name === "index.html" ? "/" : `/${name.replaceAll(path.sep, "/")}`;
      return type === undefined ? [] : [[place, { type, body: readFileSync(path.join(DIRECTORY, name)) }]];
    },
  );
  // The one library of the page. It is served as its package has it, so there is nothing to build.
  const marked = readFileSync(fileURLToPath(import.meta.resolve("marked")));
  return new Map([...files, ["/marked.js", { type: TYPES[".js"] ?? "", body: marked }]]);
}
