import { TimeSlice } from "../thread/time-slice.ts";

const MARK = "(?:\\.{3}|\u2026)";
const COMMENT = "(?:\\/\\/+|#+|--+|;+|%+|\\/\\*+|<!--|\\{ ?\\/\\*|\\*)";
const BRACKET = "(?:[\"']{3}|[([])";
const CLOSES = "(?:\\*+\\/ ?\\}?|-->|[\"']{3}|[)\\]])";
const LEFT_OUT =
  "(?:the )?(?:rest|remaining|remainder|existing|unchanged|previous|other|same|original|all (?:other|existing|the rest))\\b";
const WHAT =
  "(?:of|code|file|page|document|methods?|functions?|content|contents|implementation|imports?|lines?|tests?|class|logic|text|section|unchanged|remains?|as before|here|goes)\\b";
const SAME = "(?:unchanged|the same|as before|as[ -]is|as it (?:is|was)|intact)";
const GONE = "(?:omitted|elided|truncated|snipped|skipped|left out|cut|snip)";

const SAID = `${LEFT_OUT}[^\\n]{0,20}?${WHAT}`;

/** In a comment, in brackets, or alone on the line. */
const FORMS = [
  // ... existing code ...
  `${MARK}(?: | ?[([] ?)${SAID}[^\\n]{0,60}`,
  // rest of the file unchanged
  `[([]?${SAID}[^\\n]{0,60}?(?:${MARK}|${SAME})[)\\]]?`,
  // (unchanged code)
  `[([] ?${SAID} ?[)\\]]`,
  // keep the remaining code as it is
  `(?:keep|leave) (?:all )?(?:of )?${LEFT_OUT}[^\\n]{0,40}?${SAME}`,
  // ... 40 lines omitted ...
  `[([]? ?${MARK} (?:[\\d,]{1,9} )?(?:\\w{1,20} ){0,3}${GONE}(?: for brevity)? ?(?:${MARK})? ?[)\\]]?`,
  // [40 lines omitted]
  `[([] ?(?:[\\d,]{1,9} \\w{1,20} ${GONE}|snip(?:ped)?) ?[)\\]]`,
  // code omitted for brevity
  `(?:\\w{1,20} ){0,4}${GONE} for (?:brevity|clarity|space)[.)\\]]?`,
];
/** In a comment only: elsewhere they are code, or a sentence. */
const COMMENT_FORMS = [
  // ...existing code...
  `${MARK}${SAID}[^\\n]{0,60}`,
  // rest of the page
  `(?:the )?(?:rest|remainder) of (?:(?:the|this|your) )?(?:${WHAT} ?){1,3}[.]?`,
];
const SHUT = ` ?${CLOSES}?$`;
/**
 * A line that stands for text which was left out: `// ... existing code ...`, `# rest of the file unchanged`. White space
 * counts as one space in it, so that each space can be matched in one way only, and a line takes linear time.
 */
const OMISSION = new RegExp(
  `^(?:(?:${COMMENT}|${BRACKET})? ?(?:${FORMS.join("|")})|${COMMENT} ?(?:${COMMENT_FORMS.join("|")}))${SHUT}`,
  "i",
);
/** A text without any of these has no such line. */
const HINT = new RegExp(`${MARK}|${SAME}|${GONE}|\\b(?:rest|remainder|unchanged|remaining|existing)\\b`, "i");
/** Longest line that is looked at. */
const MAX_LINE = 160;

/** Lines of a text that stand for text which was left out. */
export function omittedLines(content: string): readonly string[] {
  if (!HINT.test(content)) return [];
  return content
    .split("\n")
    .filter((line) => line.length <= MAX_LINE && HINT.test(line) && OMISSION.test(line.trim().replaceAll(/\s+/g, " ")))
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
