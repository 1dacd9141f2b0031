import { TimeSlice } from "../thread/time-slice.ts";

const MARK = "(?:\\.{3}|\u2026)";
const OPENS = "(?:\\/\\/+|#+|--+|;+|%+|\\/\\*+|<!--|\\{\\s*\\/\\*|\\*|[\"']{3}|[([])";
const CLOSES = "(?:\\*+\\/\\s*\\}?|-->|[\"']{3}|[)\\]])";
const LEFT_OUT =
  "(?:the\\s+)?(?:rest|remaining|remainder|existing|unchanged|previous|other|same|original|all (?:other|existing|the rest))\\b";
const WHAT =
  "(?:of|code|file|methods?|functions?|content|contents|implementation|imports?|lines?|tests?|class|logic|text|section|unchanged|remains?|as before|here|goes)\\b";
/** A line that stands for text which was left out: `// ... existing code ...`, `# rest of the file unchanged`. */
const OMISSION = new RegExp(
  `^\\s*${OPENS}?\\s*(?:${MARK}\\s*[([]?\\s*${LEFT_OUT}[^\\n]{0,20}?${WHAT}[^\\n]{0,60}|[([]?${LEFT_OUT}[^\\n]{0,20}?${WHAT}[^\\n]{0,60}?(?:${MARK}|unchanged|the same|as before)[)\\]]?)\\s*${CLOSES}?\\s*$`,
  "i",
);
/** Longest line that is looked at. */
const MAX_LINE = 160;

/** Lines of a text that stand for text which was left out. */
export function omittedLines(content: string): readonly string[] {
  if (!/\.{3}|\u2026|unchanged|the same|as before/i.test(content)) return [];
  return content
    .split("\n")
    .filter((line) => line.length <= MAX_LINE && OMISSION.test(line))
    .map((line) => line.trim());
}

/** Characters that are looked through before the event loop may do other work. */
const SLICE_CHARS = 128 * 1024;

/** {@link omittedLines} of a text of any length: other work goes on meanwhile, unless the text is short. */
export function omittedLinesInSlices(
  content: string,
  signal: AbortSignal,
): readonly string[] | Promise<readonly string[]> {
  return content.length <= SLICE_CHARS ? omittedLines(content) : sliceBySlice(content, signal);
}

async function sliceBySlice(content: string, signal: AbortSignal): Promise<readonly string[]> {
  const slice = new TimeSlice();
  const found: string[] = [];
  for (let from = 0; from < content.length; await slice.pause(signal)) {
    const feed = content.indexOf("\n", from + SLICE_CHARS);
    const to = feed === -1 ? content.length : feed + 1;
    found.push(...omittedLines(content.slice(from, to)));
    from = to;
  }
  return found;
}

/** Lines that are looked for in a text: when it has these, it is one that has such lines. */
const MAX_LOOKED_FOR = 16;

/** Which of the first of some lines a text does not hold. */
export function missingLines(lines: readonly string[], text: string, unitsOf = (line: string) => line): string[] {
  return [...new Set(lines)].slice(0, MAX_LOOKED_FOR).filter((line) => !text.includes(unitsOf(line)));
}
