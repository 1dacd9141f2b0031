import { availableParallelism } from "node:os";
import { TreeFiles, type TreeRoot } from "../list/tree-files.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { SearchedPaths } from "./file-search.ts";
import type { LineQuery } from "./line-search.ts";
import { escapedLiteral, toJavaScriptRegex } from "./regex-dialect.ts";
import { filesAfter, type SearchQuery, type SearchRequest } from "./search-request.ts";
import { SearchThread } from "./search-thread.ts";
import { namedFile, listSearchedFiles, withoutLarge, type SearchOutcome } from "./searched-files.ts";

/** Files given to a thread at a time. */
const BATCH_FILES = 256;
/** Threads at most. */
const MAX_THREADS = 4;

/** Searches without any program, in threads that are ended when the search is. */
export async function builtinSearch(sandbox: Sandbox, request: SearchRequest): Promise<SearchOutcome> {
  const { mode, limit, after, contextLines, attempt, signal } = request;
  const query = lineQuery(request.query, attempt);
  const root: TreeRoot = { directory: sandbox.workingDirectory, strength: sandbox.strength };
  signal.throwIfAborted();
  const start = () => new SearchThread({ query, root, wanted: { mode, limit, after, contextLines } });
  const named = namedFile(sandbox, request);
  // Started first: it gets ready while the files are listed.
  const threads = [start()];
  const reader = new TreeFiles(root);
  try {
    const listed = withoutLarge(named ?? (await listSearchedFiles(sandbox, request)), request, reader);
    const files = filesAfter(listed.files, request);
    const wanted = Math.min(MAX_THREADS, availableParallelism(), Math.ceil(files.length / BATCH_FILES));
    while (threads.length < wanted) threads.push(start());
    const answers = await inBatches(threads, files, request);
    const unreadable = answers.reduce((sum, answer) => sum + answer.unreadable, listed.unreadable);
    return { ...listed, files: answers.flatMap((answer) => answer.files), unreadable };
  } finally {
    reader.close();
    await Promise.all(threads.map((thread) => thread.end()));
  }
}

/** The answers for lists of files, in order, up to the one in which the limit is reached. */
async function inBatches(
  threads: readonly SearchThread[],
  files: readonly string[],
  { mode, limit, signal }: SearchRequest,
): Promise<readonly SearchedPaths[]> {
  const answers: SearchedPaths[] = [];
  let [next, complete, units] = [0, 0, 0];
  const work = async (thread: SearchThread) => {
    while (next < files.length && units < limit) {
      const index = next / BATCH_FILES;
      next += BATCH_FILES;
      answers[index] = await thread.search(files.slice(index * BATCH_FILES, (index + 1) * BATCH_FILES), signal);
      for (let answer = answers[complete]; answer !== undefined && units < limit; answer = answers[complete]) {
        for (const { count } of answer.files) units += mode === "lines" ? count : 1;
        complete += 1;
      }
    }
  };
  await Promise.all(threads.map(work));
  return answers.slice(0, complete);
}

function lineQuery({ text, isRegex, ignoreCase, multiline }: SearchQuery, attempt: string): LineQuery {
  if (!isRegex && !ignoreCase && !multiline) return { source: text, flags: undefined, multiline };
  const options = { ignoreCase, multiline };
  const { source, flags } = toJavaScriptRegex(isRegex ? text : escapedLiteral(text), attempt, options);
  return { source, flags, multiline };
}
