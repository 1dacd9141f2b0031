import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { drawn, makePdf, makePng } from "./make-documents.ts";
import { SECRET, snapshot, type toolsIn } from "./worktree.ts";

const exchange = fileURLToPath(new URL("./exchange.mjs", import.meta.url));

/** A name that is outside only. */
const OUTSIDE_NAME = "outside-only-51c9.txt";

/** An image that is outside only. */
const OUTSIDE_IMAGE = makePng(5, 3);

type Call = ReturnType<typeof toolsIn>;

/** The results of calls that were made while another process exchanged names. */
export interface Raced {
  readonly operations: number;
  /** Answers that hold anything of the outside, and changes of it. */
  readonly escapes: readonly string[];
  /** Operations that succeeded, by tool. */
  readonly succeeded: Readonly<Record<string, number>>;
  /** How often reading by name got out: as long as that is never, the race has shown nothing. */
  readonly naive: number;
}

/** The tools that take part. */
export const RACING_TOOLS = [
  "read_file",
  "read_files",
  "read_notebook",
  "write_file",
  "edit_file",
  "create_file",
  "list_files",
  "search_files",
  "delete_file",
  "move_file",
  "apply_patch",
] as const;

/** Calls of one set of tools before those of the next. */
const CALLS_IN_A_ROW = 1000;

/** Where the race takes place. */
export interface Track {
  readonly root: string;
  readonly outside: string;
}

/** Lays out a worktree, and its neighbour, for a race. */
export function layTrack({ root, outside }: Track): void {
  fs.mkdirSync(join(root, "x/dir/sub"), { recursive: true });
  for (const path of ["x/dir/secret.txt", "x/dir/sub/secret.txt", "x/other.txt"])
    fs.writeFileSync(join(root, path), "inside\n");
  // A rule and an index, so that listings look for tracked files in directories that are exchanged.
  fs.writeFileSync(join(root, "x/.gitignore"), "*.log\n/dir/sub/secret.txt\n");
  fs.writeFileSync(join(root, "x/dir/ignored.log"), "inside\n");
  layDocuments(join(root, "x/dir"), "inside", makePng(2, 2));
  fs.mkdirSync(join(outside, "dir/sub"), { recursive: true });
  for (const path of [OUTSIDE_NAME, "secret.txt", "dir/secret.txt", "dir/sub/secret.txt"])
    fs.writeFileSync(join(outside, path), `${SECRET}\n`);
  for (const directory of ["", "dir"]) layDocuments(join(outside, directory), SECRET, OUTSIDE_IMAGE);
}

/** A notebook, a PDF and an image, each of which shows a text or a picture of its own. */
function layDocuments(directory: string, text: string, image: Buffer): void {
  const cell = { cell_type: "code", id: "one", metadata: {}, source: [text], outputs: [], execution_count: null };
  const notebook = { nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [cell] };
  fs.writeFileSync(join(directory, "cells.ipynb"), JSON.stringify(notebook));
  fs.writeFileSync(join(directory, "pages.pdf"), makePdf([drawn(text)]));
  fs.writeFileSync(join(directory, "image.png"), image);
}

/** The next call of a mix of all tools, of which the first costs least and the last most. */
function nextCall(number: number): readonly [name: string, params: object] {
  const share = number % 100;
  if (share === 0) return documentCall(Math.floor(number / 100));
  if (share < 40) return ["read_file", { path: "x/dir/secret.txt" }];
  if (share < 48) return ["read_file", { path: "x/dir/sub/secret.txt" }];
  if (share < 52) return ["read_files", { paths: ["x/dir/secret.txt", "x/dir/sub/secret.txt"] }];
  if (share < 60) return ["write_file", { path: `x/dir/written-${number % 5}.txt`, content: "written" }];
  if (share < 64) return ["write_file", { path: "x/dir/secret.txt", content: "inside\n" }];
  if (share < 68) return ["write_file", { path: `x/dir/made-${number % 5}/written.txt`, content: "written" }];
  if (share < 80) return ["create_file", { path: `x/dir/created-${number}.txt`, content: "created" }];
  if (share < 82) return ["move_file", { path: "x/dir/written-0.txt", new_path: `x/dir/moved-${number % 3}.txt` }];
  if (share < 84) return ["delete_file", { path: `x/dir/moved-${number % 3}.txt` }];
  if (share < 86)
    return [
      "apply_patch",
      {
        patch: `*** Begin Patch\n*** Add File: x/dir/patched-${number % 3}.txt\n+written\n*** Delete File: x/dir/written-1.txt\n*** Update File: x/dir/secret.txt\n@@\n-inside\n+inside x\n*** End Patch`,
      },
    ];
  if (share < 87) return ["delete_file", { path: `x/dir/patched-${number % 3}.txt` }];
  if (share < 90)
    return ["edit_file", { path: "x/dir/secret.txt", edits: [{ old_text: "inside", new_text: "inside x" }] }];
  if (share < 95) return ["list_files", { path: "x/dir" }];
  if (share < 99) return ["list_files", { path: "x", pattern: "**/*.txt", include_ignored: true }];
  const searches = [
    { query: "outside-secret" },
    { query: "outside-\\w+", is_regex: true, path: "x" },
    { query: "inside", path: "x/dir" },
  ];
  return number % 1000 === share
    ? ["search_files", searches[Math.floor(number / 1000) % 3]!]
    : ["list_files", { path: "x" }];
}

function documentCall(number: number): readonly [name: string, params: object] {
  const calls = [
    ["read_notebook", { path: "x/dir/cells.ipynb" }],
    ["read_file", { path: "x/dir/pages.pdf" }],
    ["read_file", { path: "x/dir/image.png" }],
    ["read_files", { paths: ["x/dir/image.png", "x/dir/pages.pdf", "x/dir/cells.ipynb"] }],
  ] as const;
  return calls[number % calls.length]!;
}

/** Whether an answer, as JSON, holds anything of the outside. */
export function isEscape(answer: string): boolean {
  const image = OUTSIDE_IMAGE.toString("base64");
  return [SECRET, "root-evil", OUTSIDE_NAME, image].some((text) => answer.includes(text));
}

/**
 * Calls tools while another process exchanges directories and files with links to the outside, until `more` is false or
 * `signal` aborts. `more` is asked before each call.
 */
export async function race(
  { root, outside }: Track,
  calls: readonly Call[],
  more: (so: Raced) => boolean,
  signal?: AbortSignal,
): Promise<Raced> {
  const before = snapshot(outside);
  const beside = madeBeside();
  // Held open, so that created files can be removed wherever the directory is at the moment.
  const held = fs.openSync(join(root, "x/dir"), "r");
  const child = spawn(process.execPath, [exchange, root, outside], { stdio: ["pipe", "pipe", "inherit"] });
  const closed = once(child, "close");
  await once(child.stdout, "data");
  const ended = () => signal?.aborted === true;
  const escapes: string[] = [];
  const succeeded: Record<string, number> = {};
  let operations = 0;
  let naive = 0;
  try {
    for (; child.exitCode === null && !ended() && more({ operations, escapes, succeeded, naive }); operations += 1) {
      if (operations % 10 === 0 && naiveRead(join(root, "x/dir/secret.txt")).includes(SECRET)) naive += 1;
      const [name, params] = nextCall(operations);
      const result = await calls[Math.floor(operations / CALLS_IN_A_ROW) % calls.length]!(name, params);
      const answer = JSON.stringify(result);
      if (isEscape(answer)) escapes.push(answer);
      if (result.success) succeeded[name] = (succeeded[name] ?? 0) + 1;
      if (name === "create_file" && result.success) remove(`/proc/self/fd/${held}/created-${operations}.txt`);
    }
  } finally {
    child.stdin.end();
    const [code] = await closed;
    if (code !== 0) escapes.push(`the exchanging process ended with ${String(code)}`);
    fs.closeSync(held);
  }
  const after = snapshot(outside);
  for (const path of new Set([...Object.keys(before), ...Object.keys(after)]))
    if (before[path] !== after[path]) escapes.push(`${path} was changed`);
  // One of the links leads to wherever the process that follows it was started.
  for (const name of madeBeside())
    if (!beside.includes(name)) escapes.push(`${name} was made in the working directory`);
  return { operations, escapes, succeeded, naive };
}

/** Files that may come from this race in the directory this process was started in, where others are at work, too. */
function madeBeside(): readonly string[] {
  return fs.readdirSync(".").filter((name) => /^(?:\.dispatch-|written|created|made|moved|patched)/.test(name));
}

function remove(path: string): void {
  // Where it is not, it went into a directory that was made in the way.
  fs.rmSync(path, { force: true });
}

function naiveRead(path: string): string {
  try {
    // Not blocking, since it may be a pipe by now.
    const fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    try {
      return fs.readFileSync(fd, "utf8");
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    return "";
  }
}
