import { truncateJson } from "@dispatch/tools-interface/internal";
import type { CodeError, CodeErrorKind, CodeOutcome } from "./code-outcome.ts";

/** Share of a truncated text that comes from its start. The rest comes from its end. */
const HEAD_SHARE = 0.6;
const NOTHING =
  "The program finished without printing or returning anything. Print with console.log or `return` what you want to see";

const RETURNED = "Returned: ";

/** Files that the text names. */
const MAX_FILES = 20;
/** Calls that the text names. */
const MAX_NAMES = 10;

/** The next step for the model, by kind of failure. */
const HINTS: { readonly [kind in CodeErrorKind]: string } = {
  size: "Send a shorter program, or split the work into several",
  syntax: "Correct the program and send it again",
  runtime: "Correct the program and send it again",
  permission: "Use only what the program is allowed, or call one of the tools instead",
  tool: "Correct the call, or catch the error in the program",
  timeout: "Do less in one program, or wait for tools in parallel with Promise.all",
  memory: "Work on smaller pieces, and keep less at a time",
  disk: "Write less, and remove files that are no longer needed as you go",
  output: "Print and return less: filter or summarise first",
  calls: "Call fewer tools in one program",
  exit: "End the program by return, not by exiting the process",
  protocol: "Print text only, and pass tools parameters of a moderate size and depth",
  aborted: "What it did until then stays done",
  unavailable: "Do the work with the other tools",
};

/** Options of {@link outcomeText}. */
export interface OutcomeTextOptions {
  /** Size of printed text and returned value together, in characters. A longer one loses its middle. */
  readonly maxChars: number;
  /** Shapes of the tools' answers, one line each. Default none. */
  readonly answers?: readonly string[] | undefined;
  /** Called when text is left out. Returns a sentence for a model that explains how to read it. */
  readonly keep?: () => string;
}

/** The text a model reads of an outcome. Nothing that the program printed looks like a line of this text. */
export function outcomeText(outcome: CodeOutcome, { maxChars, answers = [], keep }: OutcomeTextOptions): string {
  const { ok, error, value } = outcome;
  const output = marked(outcome.output);
  const abandoned = abandonedText(outcome);
  const files = filesText(outcome);
  if (ok || error === undefined) {
    const parts = [output.trimEnd(), value === undefined ? "" : RETURNED + valueText(value)].filter(
      (part) => part !== "",
    );
    const shown = shownParts(parts, outcome, maxChars, keep);
    return joined([shown === "" && files === "" ? NOTHING : shown, files, abandoned]);
  }
  const printed = output.trim() === "" ? "" : `Printed until then:\n${output.trimEnd()}`;
  return joined([errorText(error, answers), files, abandoned, truncateMiddle(printed, maxChars, keep)]);
}

/** What was printed and returned, at most so long: lists and objects that were returned keep their structure. */
function shownParts(
  parts: readonly string[],
  { value, cut }: CodeOutcome,
  maxChars: number,
  keep: () => string = ASK_FOR_LESS,
): string {
  let kept: string | undefined;
  const keepOnce = (): string => (kept ??= keep());
  const whole = parts.join("\n");
  const note =
    cut === undefined ? "" : `\n[${cut.chars} characters of JSON were returned, shortened here. ${keepOnce()}]`;
  if (whole.length <= maxChars || typeof value !== "object" || value === null)
    return truncateMiddle(whole, maxChars, keepOnce) + note;
  const [returned = "", printed] = parts.toReversed();
  const limit = Math.max(maxChars - (printed === undefined ? 0 : printed.length + 1), Math.ceil(maxChars / 2));
  // The middle of a text without structure is worth as much as its end.
  const shortened =
    returned.length <= limit ? undefined : truncateJson(JSON.stringify(value), limit - RETURNED.length, keepOnce());
  const shown = shortened === undefined ? truncateMiddle(returned, limit, keepOnce) : RETURNED + shortened;
  return (
    (printed === undefined
      ? shown
      : `${truncateMiddle(printed, Math.max(maxChars - shown.length, 1), keepOnce)}\n${shown}`) + note
  );
}

/** Kind, position and message of an error, its source line, shapes of tool answers, and the next step. */
function errorText(
  { kind, message, line, column, excerpt, stack, hint }: CodeError,
  answers: readonly string[],
): string {
  const place = line === undefined ? "" : ` at main.ts:${line}${column === undefined ? "" : `:${column}`}`;
  return joined([
    `Running the program failed (${kind})${place}: ${marked(message)}`,
    line === undefined || excerpt === undefined ? "" : `${line} | ${excerpt}`,
    // The first line of a stack is the place.
    ...(stack.length > 1 ? stack.map((frame) => `    ${frame}`) : []),
    ...(answers.length > 0 ? ["Tools answered, when awaited:", ...answers.map((answer) => `    ${answer}`)] : []),
    hint ?? HINTS[kind],
  ]);
}

function filesText({ files = [] }: CodeOutcome): string {
  if (files.length === 0) return "";
  const named = files.slice(0, MAX_FILES).map(({ path, bytes }) => `${nameText(path)} (${bytes} bytes)`);
  const more = files.length > named.length ? `, and ${files.length - named.length} more` : "";
  return `Files written: ${named.join(", ")}${more}`;
}

/** The program chose it, and it may hold a line break. */
function nameText(name: string): string {
  return /[^\w./ -]/.test(name) ? JSON.stringify(name).replace(/[\u007f-\u009f\u2028\u2029]/g, "") : name;
}

function abandonedText({ calls }: CodeOutcome): string {
  const names = calls.filter(({ status }) => status === "abandoned").map(({ name }) => name);
  if (names.length === 0) return "";
  return `Not waited for, and cancelled: ${[...new Set(names)].slice(0, MAX_NAMES).map(nameText).join(", ")}. They may or may not have had an effect; await every call`;
}

/** How lines of this text begin, after invisible characters: control sequences, spaces, marks. */
const OWN_LINE =
  /(^|[\n\r\v\f\u0085\u2028\u2029])((?:\u001b\[[\d;?]*[ -/]*[@-~]|[\p{Zs}\p{Cf}\p{M}\0-\x08\t\x0e-\x1f\x7f])*)(?=returned|printed until|running the program failed|files written|not waited for|tools answered|\[\d+ characters of json were returned|\[\d+ characters left out)/giu;

/** Marks each line that could be taken for one of this text. */
function marked(printed: string): string {
  return printed.replaceAll(OWN_LINE, "$1$2(printed) ");
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n");
}

const ASK_FOR_LESS = (): string => "Print less, or print the part you need";

/** Leaves out the middle of a text that is too long. States how much is missing and, by `keep`, how to read it. */
export function truncateMiddle(text: string, maxChars: number, keep: () => string = ASK_FOR_LESS): string {
  if (text.length <= maxChars) return text;
  let head = Math.ceil(maxChars * HEAD_SHARE);
  let tail = text.length - (maxChars - head);
  // Never split a surrogate pair.
  if (isLowSurrogate(text, head)) head -= 1;
  if (isLowSurrogate(text, tail)) tail += 1;
  return `${text.slice(0, head)}\n[${tail - head} characters left out here. ${keep()}]\n${text.slice(tail)}`;
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
