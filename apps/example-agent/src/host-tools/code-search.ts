import { FilesError, fileTools, openSandbox, type Sandbox } from "@dispatch/tool-files";
import { defineTool, failure, success, type ToolFailure, ToolError, type ToolRun } from "@dispatch/tools-interface";
import { oneLine } from "@dispatch/tools-interface/display";
import { z } from "zod";
import { globOf, grammarOf, LANGUAGES } from "./code-language.ts";
import { CodeThread } from "./code-thread.ts";
import { readWhole } from "./read-whole.ts";

/** A line of code. */
interface CodeLine {
  /** From the worktree. */
  readonly path: string;
  /** 0-based. */
  readonly line: number;
  readonly text: string;
}

/** Characters of a line that are shown. */
const MAX_LINE_CHARS = 200;

/** A line of a file, cut if long, without characters that could forge another line. Tabs stay. */
function toCodeLine(path: string, line: number, row: string): CodeLine {
  const text = row.replace(/\r$/, "").replaceAll(/(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\u{FFFD}");
  return { path, line, text: text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS).toWellFormed()}…` : text };
}

/** Lines of one kind as a model reads them, under a note with how many there are. */
function showLines(kind: string, lines: readonly CodeLine[], limit: number): readonly string[] {
  const count = lines.length === 0 ? `no ${kind}` : `${lines.length} ${kind}${lines.length === 1 ? "" : "s"}`;
  const cut = lines.length > limit ? `, the first ${limit} of them; narrow path or raise limit` : "";
  return [
    `[${count}${cut}]`,
    ...lines.slice(0, limit).map(({ path, line, text }) => `${shownPath(path)}:${line}: ${text}`),
  ];
}

/** A path that could be taken for something else is a JSON string, as in search_files. */
function shownPath(path: string): string {
  return /^[\p{L}\p{N}_./@+-]+$/u.test(path) ? path : oneLine(JSON.stringify(path));
}

/** Bytes of a file that is parsed; generated files are longer. */
const MAX_BYTES = 512 * 1_024;
/** Files that are parsed in one call. */
const MAX_FILES = 1_000;
/** Milliseconds after which no further file is begun. */
const MAX_MS = 30_000;
/** Lines of a file that name the symbol. */
const MAX_LINES = 1_000;

const parameters = z.object({
  symbol: z.string().min(1).max(200).describe("One name as it is written in code, such as parseConfig; no dots"),
  kind: z
    .enum(["all", "definition", "reference"])
    .default("all")
    .describe("What to find: where it is defined, where it is used, or both"),
  path: z.string().default(".").describe("Directory or file to look in, relative to the worktree"),
  language: z.enum(LANGUAGES).optional().describe("Look into files of this language only"),
  limit: z.int().min(1).max(200).default(100).describe("Most lines to show of each kind"),
});

const line = z.object({
  path: z.string().describe("File, relative to the worktree"),
  line: z.int().describe("0-based number of the line"),
  text: z.string().describe("The line, cut if long"),
});
const output = z.object({
  definitions: z.array(line),
  references: z.array(line),
  truncated: z.boolean().describe("Whether there are, or may be, more"),
});

/** The results so far. */
interface Found {
  readonly definitions: CodeLine[];
  readonly references: CodeLine[];
  /** Files that were left out: too long, unreadable, or too hard to parse. */
  skipped: number;
  /** Why there may be more than was found. */
  incomplete: string | undefined;
}

/**
 * `code_search`: where a name is defined and used, by the syntax of each file. It knows no scopes and no imports: another
 * thing of the same name is found too.
 */
export const codeSearchTool = defineTool({
  name: "code_search",
  description: `Finds where a name is defined and where it is used in code, by syntax: comments and texts do not count, other things of the same name do. Knows ${LANGUAGES.join(", ")}. Each line of the answer is path:line: text, lines 0-based as in read_file, definitions first; parameters and imports count as uses. Files that .gitignore leaves out and files above ${MAX_BYTES / 1_024} KB are not looked into. Lines in square brackets are notes.`,
  parameters,
  output,
  context: z.object({ worktreePath: z.string() }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  maxOutputChars: 30_000,
  async execute({ symbol, kind, path, language, limit }, run) {
    if (!/^[\p{L}\p{N}_$#@!?-]+$/u.test(symbol)) {
      throw new ToolError(
        `Cannot find ${oneLine(JSON.stringify(symbol))}: found something else than a name, allowed is one name without dots, spaces and brackets; use search_files for other texts`,
        { code: "invalid_symbol" },
      );
    }
    // Only files that hold the text at all are worth parsing.
    const params = { query: symbol, path, pattern: globOf(language), mode: "files", limit: MAX_FILES } as const;
    const candidates = await fileTools.search_files.call(params, { context: run.context, signal: run.signal });
    if (!candidates.success) return refused(candidates);
    const files = candidates.data?.files?.map((file) => file.path) ?? [];
    const found = await lookInto(files, symbol, run);
    if (candidates.data?.truncated === true) found.incomplete ??= `only the first ${MAX_FILES} files were looked into`;
    const definitions = kind === "reference" ? [] : found.definitions;
    const references = kind === "definition" ? [] : found.references;
    const shown = { definitions: definitions.slice(0, limit), references: references.slice(0, limit) };
    const truncated = definitions.length > limit || references.length > limit || found.incomplete !== undefined;
    const text = [
      ...(kind === "reference" ? [] : showLines("definition", definitions, limit)),
      ...(kind === "definition" ? [] : showLines("reference", references, limit)),
      ...(found.skipped > 0
        ? [`[files left out: ${found.skipped}, too long, unreadable or too hard to parse; use search_files for them]`]
        : []),
      ...(found.incomplete === undefined ? [] : [`[${found.incomplete}; narrow path or language]`]),
    ];
    return success(text.join("\n"), { data: { ...shown, truncated } });
  },
});

async function lookInto(
  files: readonly string[],
  symbol: string,
  { context, signal, progress }: ToolRun<{ worktreePath: string }>,
): Promise<Found> {
  const found: Found = { definitions: [], references: [], skipped: 0, incomplete: undefined };
  const deadline = performance.now() + MAX_MS;
  const thread = new CodeThread();
  const sandbox = openSandbox(context.worktreePath);
  try {
    for (const [done, path] of files.entries()) {
      if (performance.now() > deadline) {
        found.incomplete = `only ${done} of ${files.length} files were looked into, in ${MAX_MS / 1_000} s`;
        break;
      }
      progress({ message: `looking for ${symbol}`, done, total: files.length });
      await look(path, symbol, { sandbox, thread, signal, found });
    }
  } finally {
    sandbox.close();
    await thread.end();
  }
  return found;
}

interface Looking {
  readonly sandbox: Sandbox;
  readonly thread: CodeThread;
  readonly signal: AbortSignal;
  readonly found: Found;
}

async function look(path: string, symbol: string, { sandbox, thread, signal, found }: Looking): Promise<void> {
  const grammar = grammarOf(path);
  const text = readText(sandbox, path);
  if (grammar === undefined || text === undefined) {
    found.skipped += 1;
    return;
  }
  // A thread that a file broke is replaced; the file is left out.
  const answer = await thread.look({ grammar, text, symbol, maxHits: MAX_LINES }, signal).catch(() => undefined);
  signal.throwIfAborted();
  if (answer === undefined) found.skipped += 1;
  const rows = text.split("\n");
  for (const { line: number, defines } of answer ?? []) {
    const row = toCodeLine(path, number, rows[number] ?? "");
    (defines ? found.definitions : found.references).push(row);
  }
}

function readText(sandbox: Sandbox, path: string): string | undefined {
  try {
    const { bytes } = readWhole(sandbox, path, MAX_BYTES);
    return bytes === undefined || bytes.includes(0) ? undefined : bytes.toString("utf8");
  } catch (error) {
    if (error instanceof FilesError) return undefined;
    throw error;
  }
}

/** A refusal of the search itself, in its own words. */
function refused({ error, code }: ToolFailure): ToolFailure {
  return failure(error, { code });
}
