import { createTwoFilesPatch } from "diff";
import { printablePath } from "../error/printable-path.ts";
import { detectEncoding } from "../text/text-encoding.ts";

/** Most characters of a diff shown. */
const MAX_DIFF = 20_000;
/** Longest line shown whole. */
const MAX_LINE = 500;
/** Milliseconds spent on finding the shortest diff. */
const TIMEOUT_MS = 1000;

/** A unified diff of a file's text before and after, shortened when long. Line ends and the byte order mark are left out of it. */
export function unifiedDiff(path: string, before: Buffer, after: Buffer, encoding?: string): string {
  const name = printablePath(path);
  const old = textOf(before, encoding);
  const now = textOf(after, encoding);
  if (old === now)
    return before.equals(after) ? "(nothing changed)" : "(only line ends or the byte order mark changed)";
  const patch = createTwoFilesPatch(name, name, old, now, undefined, undefined, { context: 3, timeout: TIMEOUT_MS });
  if (patch === undefined) return "(the changes are too many for a diff)";
  const lines = patch
    .slice(patch.indexOf("--- "))
    .split("\n")
    .map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line));
  const diff = lines.join("\n").trimEnd();
  return diff.length > MAX_DIFF
    ? `${diff.slice(0, diff.lastIndexOf("\n", MAX_DIFF))}\n(the diff goes on, use read_file to see the rest)`
    : diff;
}

function textOf(bytes: Buffer, stated: string | undefined): string {
  return (detectEncoding(bytes, stated)?.decode(bytes) ?? bytes.toString("utf8"))
    .replace(/^\ufeff/, "")
    .replaceAll("\r\n", "\n");
}
