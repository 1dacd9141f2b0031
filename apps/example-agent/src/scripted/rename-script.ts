import type { ToolCall, ToolResult } from "@dispatch/tools-interface";
import type { AssistantTurn } from "../agent/conversation.ts";
import { lookingProgram, wordOf } from "./looking-program.ts";
import { call, turn } from "./scripted-model.ts";

/** A line that contains the name to be renamed. */
interface Hit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** What the program found in all files. */
interface Found {
  readonly files: number;
  /** Places with the old name, and with the new one. */
  readonly old: number;
  readonly renamed: number;
  /** Files with the new name, where the old one is there too: the first three. */
  readonly places: readonly string[];
  /** Of all texts, with the old name in place of the new one. */
  readonly digest: string;
  /** Modules that name it or import one that does, and how many of them load; both 0 where the sandbox cannot tell. */
  readonly modules: number;
  readonly loaded: number;
  /** Files that name it and are none of these modules. */
  readonly others: number;
  /** Why the others do not: the first three. */
  readonly faults: readonly string[];
}

/** The parts of results that the script reads. */
interface Answer {
  /** Of search_files. */
  readonly matches?: readonly Hit[];
  /** Of search_files: whether there are more. */
  readonly truncated?: boolean;
  /** Of read_file. */
  readonly content?: string;
  /** Of read_file: the call that reads on. */
  readonly next?: object | null;
  /** Of execute_code: the program's return value. */
  readonly value?: Found;
}

/** The most lines that one search shows. Where there are more nothing is changed. */
const MAX_LINES = 1_000;
/** Times that it reads on in a file where a line needs its context. */
const MAX_PARTS = 10;

/** Codes of calls that ended with their process. */
const CUT_OFF: ReadonlySet<string | undefined> = new Set(["cancelled", "interrupted"]);

type Steps<Result> = Generator<AssistantTurn, Result, readonly ToolResult[]>;

/**
 * Renames one word in every file: look, edit, prove it by running code, remember, report. Asks where the new name is taken;
 * takes its edits back where the proof fails.
 */
export function* renameScript(task: string): Steps<string> {
  const [from = "", to = "", ...more] = [...task.matchAll(/"([^"]+)"/g)].map(([, word]) => word);
  if (more.length > 0 || !/^\w+$/.test(from) || !/^\w+$/.test(to)) {
    return `I am a scripted model and know one kind of task, one Rename "old" to "new" of plain names, so I cannot do this: ${task}`;
  }
  const [word, isNew] = [new RegExp(wordOf(from), "gu"), new RegExp(wordOf(to), "gu")];
  const look = call("execute_code", { code: lookingProgram(from, to) });

  const [found, , first] = yield* answered(
    `I look for ${from}, outside too, and whether ${to} is free.`,
    search(from),
    call("read_file", { path: "../package.json" }),
    look,
  );
  const hits = hitsOf(found, word);
  const before = dataOf(first).value;
  if (dataOf(found).truncated === true) {
    const count = before === undefined ? "" : `stands in ${before.old} places and `;
    return `${from} ${count}is on more lines than one search shows, so I could not finish. I changed nothing. Choose a name that is less common, or a smaller directory with --workspace.`;
  }
  if (found?.success !== true) return `I changed nothing: I cannot tell where ${from} is. ${said(found)}`;
  if (hits.length === 0) return `Nothing to rename: ${from} does not occur in this worktree as a word of its own.`;
  if (before === undefined) return `I changed nothing: I cannot tell whether ${to} is free. ${said(first)}`;
  if (before.renamed > 0) {
    return `${to} is taken: it stands in ${before.places.join(", ")}. I changed nothing. Which name shall it be?`;
  }

  const edited = yield* editAll(hits, word, to);
  const [proof] = yield* answered(
    "I do not trust my own edits: a program compares every file, and loads the code.",
    look,
  );
  const after = dataOf(proof).value;
  const fault = faultOf(before, after, from) ?? (after === undefined ? said(proof) : undefined);
  if (fault !== undefined) {
    const [written] = yield turn(`Not proved: ${fault}. I take my edits back.`, search(to));
    for (let left = hitsOf(written, isNew); left.length > 0;) {
      const changed = yield* editAll(left, isNew, from);
      if (changed.length === 0) break;
      const [again] = yield turn("I look again.", search(to));
      left = hitsOf(again, isNew);
    }
    const [last] = yield* answered("A program looks whether all is as it was.", look);
    const now = dataOf(last).value;
    const isBack = now?.renamed === 0 && now.old === before.old && now.digest === before.digest;
    const counts = now === undefined ? said(last) : `${now.old} places say ${from} and ${now.renamed} say ${to}`;
    const state = isBack
      ? "I took my edits back: a program found every file as it was."
      : `I took my edits back, but a program does not find every file as it was: ${counts}.`;
    return `Not finished: ${fault}.\n${state}`;
  }

  const report = `# ${from} is now ${to}\n\n${edited.map((path) => `- ${path}`).join("\n")}\n`;
  const note = `Renamed ${from} to ${to} in ${edited.length} files: ${edited.join(", ")}.`;
  const [, remembered, rule] = yield turn(
    "I write down what I did. A rule for later work needs a person's approval.",
    call("create_file", { path: "RENAMED.md", content: report }),
    call("memory_write", {
      label: `renames/${to}`,
      content: note,
      tier: "working",
      reason: "A later task may ask for the old name",
    }),
    call("memory_write", {
      label: "conventions",
      content: `Say ${to}, never ${from}.`,
      tier: "core",
      reason: "The task asked for it",
    }),
  );

  const [recalled] = yield turn("Would I find it again?", call("memory_read", { query: `what became of ${from}` }));
  const recall = `yes, and recall ${String(recalled).includes(to) ? "finds" : "does not find"} it`;
  const kept = `Remembered: ${remembered?.success === true ? recall : "no"}.`;
  return [
    `Done: ${from} is ${to} in ${edited.length} files, and nothing else changed in ${before.files}.`,
    loadsAs(before),
    `${kept} Core memory: ${rule?.success === true ? "put before a person" : "refused"}.`,
  ].join("\n");
}

function search(word: string): ToolCall {
  return call("search_files", { query: `\\b${word}\\b`, is_regex: true, limit: MAX_LINES });
}

function loadsAs({ modules, loaded, others }: Found): string {
  const all = `A program loaded the ${modules} modules it touches, without running them.`;
  const some = `A program loaded ${loaded} of the ${modules} modules it touches; the others did not load before.`;
  const rest = `Not loaded: ${others} of the changed files.`;
  return [...(modules > 0 ? [loaded === modules ? all : some] : []), ...(others > 0 ? [rest] : [])].join("\n");
}

/** Why the work is not proved; `undefined` if it is, or if nothing is known. */
function faultOf(before: Found, after: Found | undefined, from: string): string | undefined {
  if (after === undefined) return undefined;
  if (after.old > 0) return `${after.old} places still say ${from}`;
  if (after.renamed !== before.old || after.digest !== before.digest) return "something else changed, too";
  if (after.loaded < before.loaded)
    return `${before.loaded - after.loaded} modules load no more: ${after.faults.join("; ")}`;
  return undefined;
}

/** The results of a turn, whose calls are repeated where the end of a process cut them off. */
function* answered(text: string, ...calls: readonly ToolCall[]): Steps<readonly ToolResult[]> {
  let results = yield turn(text, ...calls);
  while (results.some((result) => !result.success && CUT_OFF.has(result.code)))
    results = yield turn("That was cut off, so once more.", ...calls);
  return results;
}

/** Edits every file that has hits. A line that stands there twice is refused as ambiguous; then the lines before it go along. */
function* editAll(hits: readonly Hit[], word: RegExp, to: string): Steps<string[]> {
  const edit = (path: string, texts: readonly string[]) =>
    call("edit_file", { path, edits: texts.map((text) => ({ old_text: text, new_text: text.replaceAll(word, to) })) });
  const files = [...new Set(hits.map(({ path }) => path))];

  const edited = yield turn(
    `I change ${files.length} ${files.length === 1 ? "file" : "files"}.`,
    ...files.map((path) => edit(path, [...new Set(hits.filter((hit) => hit.path === path).map(({ text }) => text))])),
  );
  const done = files.filter((_, index) => edited[index]?.success === true);
  const refused = files.filter((path) => !done.includes(path));
  if (refused.length === 0) return done;

  const why = said(edited.find((result) => !result.success));
  const texts = yield* readWhole(
    `${refused.length} could not be edited: ${why}. I read on, to give more context.`,
    refused,
  );
  const retried = yield* answered(
    "Now with as many lines before as it takes to be unique.",
    ...refused.map((path, index) => edit(path, uniqueBlocks(texts[index] ?? "", word))),
  );
  return [...done, ...refused.filter((_, index) => retried[index]?.success === true)];
}

/** Reads files to their ends, or their first parts. */
function* readWhole(why: string, paths: readonly string[]): Steps<string[]> {
  const texts = paths.map(() => "");
  let text = why;
  let next: (object | null)[] = paths.map((path) => ({ path }));
  for (let part = 0; part < MAX_PARTS && next.some((params) => params !== null); part += 1) {
    const asked = next.flatMap((params, index) => (params === null ? [] : [{ params, index }]));
    const results = yield turn(text, ...asked.map(({ params }) => call("read_file", params)));
    next = paths.map(() => null);
    for (const [at, { index }] of asked.entries()) {
      const { content = "", next: rest = null } = dataOf(results[at]);
      texts[index] += content;
      next[index] = rest;
    }
    text = "And the rest.";
  }
  return texts;
}

/** Every line that matches, in blocks that occur once in the text: each begins as far above as that takes. Last first. */
function uniqueBlocks(text: string, word: RegExp): string[] {
  const lines = text.split("\n");
  const blocks: string[] = [];
  for (let end = lines.length; end > 0;) {
    const last = lines.findLastIndex((line, index) => index < end && line.search(word) >= 0);
    if (last < 0) break;
    let start = last;
    let block = lines[last] ?? "";
    while (start > 0 && text.split(block).length > 2) block = lines.slice((start -= 1), last + 1).join("\n");
    blocks.push(block);
    end = start;
  }
  return blocks;
}

function dataOf(result: ToolResult | undefined): Answer {
  return result?.success === true ? (result.data as Answer) : {};
}

/** The lines with the word itself, not only as a part of another one. */
function hitsOf(result: ToolResult | undefined, word: RegExp): readonly Hit[] {
  return (dataOf(result).matches ?? []).filter(({ text }) => text.search(word) >= 0);
}

/** The first line of a tool's text. */
function said(result: ToolResult | undefined): string {
  return String(result ?? "").split("\n", 1)[0] ?? "";
}
