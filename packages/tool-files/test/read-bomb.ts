// Reads a PDF that decompresses to 600 MB, then a plain one. In a process of its own, because the allocator keeps what the first took.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { constants } from "node:zlib";
import { createToolRegistry } from "@dispatch/tools-interface";
import { registerFileTools } from "../src/index.ts";
import { drawn, makePdf } from "./make-documents.ts";

const [worktreePath = ""] = process.argv.slice(2);
const registry = registerFileTools(createToolRegistry());

async function read(name: string, bytes: Buffer) {
  writeFileSync(path.join(worktreePath, name), bytes);
  const before = process.memoryUsage.rss();
  const result = await registry.dispatch("read_file", { path: name }, { context: { worktreePath } });
  const rise = process.memoryUsage.rss() - before;
  return { bytes: bytes.length, rise, text: String(result), code: result.success ? undefined : result.code };
}

const bomb = await read(
  "bomb.pdf",
  makePdf([Buffer.alloc(600_000_000, " ")], { filter: { strategy: constants.Z_RLE } }),
);
const next = await read("next.pdf", makePdf([drawn("Hello PDF")]));
process.stdout.write(JSON.stringify({ bomb, next }));
