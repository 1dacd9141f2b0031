import { editBytes } from "../../src/edit/edit-bytes.ts";
import { FilesError } from "../../src/error/files-error.ts";
import { type Hunk, Random } from "./corpus.ts";

/** One trial of an edit: a file, the edit, and the required result. */
interface Trial {
  /** The file as it is on disk. */
  readonly file: Buffer;
  /** The text to replace, as a model sends it. */
  readonly old_text: string;
  /** The replacement. */
  readonly new_text: string;
  /** The required contents of the file afterwards; `undefined`: the edit has to be refused. */
  readonly intended: Buffer | undefined;
}

/** Makes a trial out of a hunk, `undefined` where the hunk has nothing to make it of. */
type Perturbation = (hunk: Hunk, random: Random) => Trial | undefined;

const utf8 = (text: string) => Buffer.from(text, "utf8");
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");
const latin1 = (text: string) => Buffer.from(text, "latin1");

/** The file and the intended one with each line and line end written by `line`. Only kept lines get their own back. */
function fileTexts(hunk: Hunk, line: (index: number, text: string) => string, end: (index: number) => string) {
  const { file, start, old, now, steps, closed } = hunk;
  const last = file.length - 1;
  // Without its line feed the last line is replaced up to its end, which stays.
  const endOf = (index: number, at: number) => end(!closed && index === now.length - 1 ? start + old.length - 1 : at);
  const written = file.map((text, index) => line(index, text) + (index === last ? "" : end(index)));
  const put = now.map((text, index) => {
    const step = steps[index]!;
    const at = start + step.line;
    return (step.kept ? line(at, file[at]!) : text) + endOf(index, at);
  });
  return {
    file: written.join(""),
    intended: [...written.slice(0, start), ...put, ...written.slice(start + old.length)].join(""),
  };
}

function texts(hunk: Hunk, line = (text: string) => text) {
  const closing = hunk.closed ? "\n" : "";
  const join = (lines: readonly string[]) => (lines.length === 0 ? "" : lines.map(line).join("\n") + closing);
  return { old_text: join(hunk.old), new_text: join(hunk.now) };
}

const same = (_index: number, text: string) => text;
const feed = () => "\n";

function encoded(hunk: Hunk, encode: (text: string) => Buffer, ends = feed as (at: number) => string) {
  const { file, intended } = fileTexts(hunk, same, ends);
  return { file: encode(file), intended: encode(intended), ...texts(hunk) };
}

/** The file with some lines of the hunk changed, which must not be overlooked. */
function stale(hunk: Hunk, lines: readonly string[]): Trial {
  const file = [...hunk.file.slice(0, hunk.start), ...lines, ...hunk.file.slice(hunk.start + hunk.old.length)];
  return { file: utf8(file.join("\n")), intended: undefined, ...texts(hunk) };
}

function isAscii(hunk: Hunk): boolean {
  return !/[^\0-\x7f]/.test([...hunk.file, ...hunk.now].join("\n"));
}

/** Changes one line of the hunk. `undefined` when no line can be changed so. */
function withOneLine(hunk: Hunk, random: Random, change: (line: string) => string): string[] | undefined {
  const changeable = hunk.old.flatMap((line, index) => (change(line) === line ? [] : [index]));
  if (changeable.length === 0) return undefined;
  const chosen = random.pick(changeable);
  return hunk.old.map((line, index) => (index === chosen ? change(line) : line));
}

function shifted(hunk: Hunk, random: Random): Trial | undefined {
  // A single line with less indentation is a piece of the one that is there.
  if (hunk.old.length < 2) return undefined;
  const full = [...hunk.old, ...hunk.now].filter((line) => line.trim() !== "");
  const [first = ""] = full.map((line) => /^[ \t]*/.exec(line)![0]).toSorted((one, other) => one.length - other.length);
  const common = full.every((line) => line.startsWith(first)) ? first : "";
  const { file, intended } = fileTexts(hunk, same, feed);
  const by = random.pick(["  ", "\t", "    "]);
  const less = common !== "" && random.below(3) > 0;
  const shift = (line: string) => (/^[ \t]*$/.test(line) ? line : less ? line.slice(common.length) : by + line);
  return { file: utf8(file), intended: utf8(intended), ...texts(hunk, shift) };
}

/** Every kind of trial by name. */
const PERTURBATIONS: Readonly<Record<string, Perturbation>> = {
  exact: (hunk) => encoded(hunk, utf8),
  crlf: (hunk) => encoded(hunk, utf8, () => "\r\n"),
  bom: (hunk) => encoded(hunk, (text) => utf8(`\ufeff${text}`)),
  mixed_ends(hunk, random) {
    const ends = hunk.file.map(() => random.pick(["\n", "\r\n"]));
    return encoded(hunk, utf8, (index) => ends[index]!);
  },
  invalid_bytes(hunk) {
    const { file, intended, ...edit } = encoded(hunk, utf8);
    const wrong = Buffer.concat([utf8("# déjà vu, größer: "), Buffer.from([0xff, 0x20, 0xc3, 0x28, 0x80, 0x0a])]);
    return { ...edit, file: Buffer.concat([wrong, file]), intended: Buffer.concat([wrong, intended]) };
  },
  legacy(hunk) {
    if (!isAscii(hunk)) return undefined;
    const words = "# Größe, Länge und Höhe müssen geprüft werden; café déjà vu\n";
    return encoded(hunk, (text) => latin1(words + text));
  },
  utf16: (hunk, random) => {
    const swap = random.below(2) === 0;
    return encoded(hunk, (text) => (swap ? utf16(text).swap16() : utf16(text)));
  },
  trailing_in_file(hunk, random) {
    if (hunk.old.length < 2) return undefined;
    const { start, old } = hunk;
    const white = hunk.file.map((_, at) =>
      at >= start && at < start + old.length - 1 ? random.pick(["", "  ", "\t"]) : "",
    );
    white[start] = " ";
    const { file, intended } = fileTexts(hunk, (index, text) => text + white[index]!, feed);
    return { file: utf8(file), intended: utf8(intended), ...texts(hunk) };
  },
  trailing_in_edit(hunk, random) {
    const { file, intended } = fileTexts(hunk, same, feed);
    const white = random.pick([" ", "\t", "  "]);
    const old = hunk.old.map((line) => line + white);
    const now = hunk.now.map((line, index) => (hunk.steps[index]!.kept ? line + white : line));
    return { file: utf8(file), intended: utf8(intended), ...texts({ ...hunk, old, now }) };
  },
  indentation: shifted,
  line_numbers(hunk, random) {
    const { file, intended } = fileTexts(hunk, same, feed);
    const number = (lines: readonly string[]) => lines.map((line, index) => `${hunk.start + index}\t${line}`);
    const now = random.below(2) === 0 ? number(hunk.now) : hunk.now;
    return { file: utf8(file), intended: utf8(intended), ...texts({ ...hunk, old: number(hunk.old), now }) };
  },
  duplicate(hunk, random) {
    const at = random.below(2) === 0 ? 0 : hunk.file.length - 1;
    const file = [...hunk.file.slice(0, at), ...hunk.old, ...hunk.file.slice(at)];
    return { file: utf8(file.join("\n")), intended: undefined, ...texts(hunk) };
  },
  stale_line(hunk, random) {
    const lines = withOneLine(hunk, random, (line) =>
      line.trim() === "" ? line : "  const somethingElse = compute(42);",
    );
    return lines && stale(hunk, lines);
  },
  stale_name(hunk, random) {
    const lines = withOneLine(hunk, random, (line) => line.replace(/[a-z]\w{2,}/i, "$&2"));
    return lines && stale(hunk, lines);
  },
  stale_end(hunk, random) {
    const lines = withOneLine(hunk, random, (line) => line.replace(/(?<=\w)$/, "More"));
    return lines && stale(hunk, lines);
  },
  inner_spacing(hunk, random) {
    const lines = withOneLine(hunk, random, (line) => line.replace(/(\S) (?=\S)/, "$1  "));
    return lines && stale(hunk, lines);
  },
  letter_case(hunk, random) {
    const lines = withOneLine(hunk, random, (line) => line.replace(/[a-z]/, (letter) => letter.toUpperCase()));
    return lines && stale(hunk, lines);
  },
  quotes(hunk, random) {
    const lines = withOneLine(hunk, random, (line) => line.replaceAll('"', "'").replaceAll("`", "'"));
    return lines && stale(hunk, lines);
  },
  twin(hunk, random) {
    const lines = withOneLine(hunk, random, (line) => line.replace(/[a-z]\w{2,}/i, "$&2"));
    if (lines === undefined || hunk.old.filter((line) => line.trim() !== "").length < 2) return undefined;
    const change = random.pick<(line: string) => string>([
      (line) => `  ${line}`,
      (line) => `\t${line}`,
      (line) => `${line} `,
      (line) => line.replaceAll("'", "\u2019").replaceAll(" ", "\u00a0"),
    ]);
    const other = hunk.old.map((line) => (line.trim() === "" ? line : change(line)));
    if (other.join() === hunk.old.join()) return undefined;
    const { file } = stale(hunk, lines);
    return { file: Buffer.concat([file, utf8(`\n${other.join("\n")}\n`)]), intended: undefined, ...texts(hunk) };
  },
  absent: (hunk) => stale(hunk, []),
};

/** The results of the trials of one kind. */
export interface Score {
  /** How many there were. */
  tries: number;
  /** Edits that produced the intended file, or were refused where they had to be. */
  right: number;
  /** Edits refused that should have been applied. */
  refused: number;
  /** Edits that made anything else of the file. */
  wrong: number;
  /** Sources of the wrong ones. */
  readonly examples: string[];
}

/** Tries every hunk in every way. The same hunks give the same trials. */
export function scoreHunks(hunks: readonly Hunk[]): ReadonlyMap<string, Score> {
  const scores = new Map<string, Score>();
  for (const [kind, perturb] of Object.entries(PERTURBATIONS)) {
    const score: Score = { tries: 0, right: 0, refused: 0, wrong: 0, examples: [] };
    for (const [index, hunk] of hunks.entries()) {
      const trial = perturb(hunk, new Random(index + 1));
      if (trial === undefined) continue;
      const outcome = outcomeOf(trial);
      score.tries += 1;
      score[outcome] += 1;
      if (outcome !== "right") score.examples.push(`${outcome} ${index} ${hunk.source}:${hunk.start}`);
    }
    scores.set(kind, score);
  }
  return scores;
}

function outcomeOf({ file, old_text, new_text, intended }: Trial): "right" | "refused" | "wrong" {
  try {
    const { bytes } = editBytes(file, [{ old_text, new_text }], "Cannot edit");
    return intended !== undefined && bytes.equals(intended) ? "right" : "wrong";
  } catch (error) {
    if (!(error instanceof FilesError)) throw error;
    return intended === undefined ? "right" : "refused";
  }
}
