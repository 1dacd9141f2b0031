import { FilesError } from "../error/files-error.ts";

/** A piece of a file as a patch changes it. */
export interface PatchHunk {
  /** Lines that stand somewhere above the piece, the outermost first. */
  readonly headers: readonly string[];
  /** Lines as they are, and as they are to be. */
  readonly old: readonly string[];
  readonly now: readonly string[];
  /** Whether the piece is the end of the file. */
  readonly atEnd: boolean;
}

/** The change of a patch to one file. */
export type PatchChange =
  | { readonly kind: "add"; readonly path: string; readonly content: string }
  | { readonly kind: "delete"; readonly path: string }
  | { readonly kind: "update"; readonly path: string; readonly to: string | undefined; readonly hunks: PatchHunk[] };

const MAX_CHANGES = 100;
const MAX_HUNKS = 500;
/** Text that may surround a patch: a code fence, a call of the program with a here-document, the end of one. */
const AROUND = /^\s*(?:```\w*|(?:(?:apply_patch|cat)\s*)?<<-?\s*(["']?)\w+\1|apply_patch|(?:%%)?\w+)?\s*$/;
const FILE = /^\*\*\* (Add|Delete|Update) File: (.+)$/;

/**
 * Reads a patch of the form `*** Begin Patch`, `*** Add File: PATH` and so on, `*** End Patch`, also when it comes in a code
 * fence or a shell's here-document, or its markers are indented.
 *
 * @throws {FilesError} Code `invalid_patch`, with the number of the line.
 */
export function parsePatch(patch: string): readonly PatchChange[] {
  const lines = patch.replaceAll("\r\n", "\n").split("\n");
  const begin = lines.findIndex((line) => line.trim() === "*** Begin Patch");
  const end = lines.findLastIndex((line) => line.trim() === "*** End Patch");
  const invalid = (at: number, found: string) =>
    new FilesError(`Cannot apply the patch: line ${at} ${found}`, { code: "invalid_patch" });
  if (begin === -1 || end < begin)
    throw invalid(0, 'is expected to be "*** Begin Patch", and the last "*** End Patch"');
  const around = lines.findIndex((line, index) => (index < begin || index > end) && !AROUND.test(line));
  if (around !== -1)
    throw invalid(around, "stands outside the patch; send the patch alone, its paths are relative to the worktree");
  const changes: PatchChange[] = [];
  let at = begin + 1;
  let hunks = 0;
  while (at < end) {
    const line = lines[at]!;
    if (line.trim() === "") {
      at += 1;
      continue;
    }
    const [, kind, path] = FILE.exec(line.trim()) ?? [];
    if (kind === undefined || path === undefined)
      throw invalid(
        at,
        'begins no change, allowed are "*** Add File: PATH", "*** Delete File: PATH", "*** Update File: PATH"',
      );
    if (changes.length === MAX_CHANGES) throw invalid(at, `is one change too many, allowed are ${MAX_CHANGES}`);
    at += 1;
    if (kind === "Delete") changes.push({ kind: "delete", path });
    else if (kind === "Add") changes.push({ kind: "add", path, content: readAdded() });
    else changes.push(readUpdate(path));
  }
  if (changes.length === 0) throw invalid(begin, "begins an empty patch, it has to change a file");
  return changes;

  function readAdded(): string {
    let content = "";
    for (; at < end && !isMarker(lines[at]!); at += 1) {
      const line = lines[at]!;
      if (!line.startsWith("+")) throw invalid(at, 'is a line of a new file that does not begin with "+"');
      content += `${line.slice(1)}\n`;
    }
    return content;
  }

  function readUpdate(path: string): PatchChange {
    const first = at;
    const to = /^\*\*\* Move to: (.+)$/.exec(lines[at]!.trim())?.[1];
    if (to !== undefined) at += 1;
    const found: PatchHunk[] = [];
    while (at < end && !(isMarker(lines[at]!) && FILE.test(lines[at]!.trim()))) {
      if (lines[at]!.trim() === "" && (at + 1 >= end || isMarker(lines[at + 1]!))) at += 1;
      else found.push(readHunk());
      if (++hunks > MAX_HUNKS) throw invalid(at, `is one piece too many, allowed are ${MAX_HUNKS}`);
    }
    if (found.length === 0 && to === undefined) throw invalid(first, "updates a file without any change");
    return { kind: "update", path, to, hunks: found };
  }

  function readHunk(): PatchHunk {
    const start = at;
    const [headers, old, now]: string[][] = [[], [], []];
    for (; at < end && lines[at]!.startsWith("@@"); at += 1) {
      const header = /^@@ ?(.*?)(?: ?@@)?$/.exec(lines[at]!)?.[1] ?? "";
      // Numbers of lines, as a unified diff has them, are not needed.
      if (header !== "" && !/^-\d+(?:,\d+)? \+\d+(?:,\d+)?/.test(header)) headers!.push(header);
    }
    for (; at < end && !lines[at]!.startsWith("@@") && !isMarker(lines[at]!); at += 1) {
      const line = lines[at]!;
      const text = line.slice(1);
      if (line === "") {
        old!.push("");
        now!.push("");
      } else if (line.startsWith(" ")) {
        old!.push(text);
        now!.push(text);
      } else if (line.startsWith("-")) old!.push(text);
      else if (line.startsWith("+")) now!.push(text);
      else throw invalid(at, 'is a line of a change that begins with none of " ", "-", "+" and "@@"');
    }
    const atEnd = at < end && lines[at]!.trim() === "*** End of File";
    if (atEnd) at += 1;
    else if (at < end && isMarker(lines[at]!) && !FILE.test(lines[at]!.trim()))
      throw invalid(at, "is no marker that is known");
    if (old!.length === 0 && now!.length === 0) throw invalid(start, "begins a piece that changes nothing");
    return { headers: headers!, old: old!, now: now!, atEnd };
  }
}

/** A marker may be indented; a line of a file in a patch begins with a sign. */
function isMarker(line: string): boolean {
  return /^\s*\*\*\* /.test(line) && !/^ \*\*\* (?!(?:Add|Delete|Update) File: |End of File|Move to: )/.test(line);
}
