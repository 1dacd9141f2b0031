import type { ToolResult } from "@dispatch/tools-interface";
import type { AssistantTurn } from "../agent/conversation.ts";
import { countingProgram } from "./counting-program.ts";
import { call, turn } from "./scripted-model.ts";

/** A line that contains the name to be renamed. */
interface Hit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** The parts of results that the script reads. */
interface Answer {
  /** Of search_files. */
  readonly matches?: readonly Hit[];
  /** Of read_file. */
  readonly content?: string;
  /** Of read_file: the call that reads on. */
  readonly next?: object | null;
  /** Of execute_code: the program's return value. */
  readonly value?: { readonly left?: number };
}

type Steps<Result> = Generator<AssistantTurn, Result, readonly ToolResult[]>;

/** Renames one word in every file: look, read, edit, prove it by running code, remember, report. */
export function* renameScript(task: string): Steps<string> {
  const [from, to] = [...task.matchAll(/"([^"]+)"/g)].map(([, word]) => word);
  if (from === undefined || to === undefined || !/^\w+$/.test(from) || !/^\w+$/.test(to)) {
    return `I am a scripted model and know one kind of task, Rename "old" to "new", so I cannot do this: ${task}`;
  }
  const word = new RegExp(`\\b${from}\\b`, "g");

  const [found, known] = yield turn(
    `I look for ${from}, and for what I remember of such work.`,
    call("search_files", { query: word.source, is_regex: true }),
    call("memory_read", { query: `rename ${from}` }),
  );
  const hits = hitsOf(found);
  if (hits.length === 0) return `Nothing to rename: ${from} does not occur in this worktree. ${said(found)}`;
  const files = [...new Set(hits.map(({ path }) => path))];
  const [first] = hits;

  yield turn(
    `${hits.length} lines in ${files.length} files name it${known?.success ? "" : ", and memory did not answer"}. I read one place before I change any, and see whether something outside uses it too.`,
    call("read_file", {
      path: first?.path ?? "",
      start_line: Math.max(0, (first?.line ?? 0) - 3),
      end_line: (first?.line ?? 0) + 3,
    }),
    call("list_files", { pattern: "**/*.json" }),
    call("read_file", { path: "../package.json" }),
  );

  const edited = new Set<string>();
  for (let left = hits; left.length > 0;) {
    const changed = yield* editAll(left, word, to);
    for (const path of changed) edited.add(path);
    if (changed.length === 0) break;
    const [again] = yield turn("I look again.", call("search_files", { query: word.source, is_regex: true }));
    left = hitsOf(again);
  }

  const [proof] = yield turn(
    "I do not trust my own edits: a program counts both names in every file.",
    call("execute_code", { code: countingProgram(from, to) }),
  );
  const left = leftOf(proof);

  const report = `# ${from} is now ${to}\n\n${[...edited].map((path) => `- ${path}`).join("\n")}\n`;
  const note = `Renamed ${from} to ${to} in ${edited.size} files: ${[...edited].join(", ")}.`;
  const [, remembered, rule] = yield turn(
    "I write down what I did, for people and for myself. A rule for all later work belongs into core memory, which a person has to approve.",
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

  const [recalled] = yield turn(
    "And I look whether I would find it again.",
    call("memory_read", { query: `what became of ${from}` }),
    call("read_file", { path: "RENAMED.md" }),
  );
  return [
    left === 0
      ? `Done: ${from} is ${to} in ${edited.size} files, counted by a program.`
      : `Not finished: ${left ?? "unknown"} places still say ${from}.`,
    `Refused on the way: reading outside of the worktree.`,
    `Remembered: ${remembered?.success === true ? "yes" : "no"}, and recall ${String(recalled).includes(to) ? "finds" : "does not find"} it.`,
    `Core memory: ${rule?.success === true ? "put before a person" : "refused"}.`,
  ].join("\n");
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
  const retried = yield turn(
    "Now with as many lines before as it takes to be unique.",
    ...refused.map((path, index) => edit(path, uniqueBlocks(texts[index] ?? "", word))),
  );
  return [...done, ...refused.filter((_, index) => retried[index]?.success === true)];
}

/** Reads files to their ends, however many calls that takes. */
function* readWhole(why: string, paths: readonly string[]): Steps<string[]> {
  const texts = paths.map(() => "");
  let text = why;
  let next: (object | null)[] = paths.map((path) => ({ path }));
  while (next.some((params) => params !== null)) {
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

function hitsOf(result: ToolResult | undefined): readonly Hit[] {
  return dataOf(result).matches ?? [];
}

function leftOf(result: ToolResult | undefined): number | undefined {
  return dataOf(result).value?.left;
}

/** The first line of a tool's text. */
function said(result: ToolResult | undefined): string {
  return String(result ?? "").split("\n", 1)[0] ?? "";
}
