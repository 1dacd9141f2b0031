import { defineTool, failure, type ToolRun } from "@dispatch/tools-interface";
import { imageTypeOf } from "@dispatch/tools-interface/image";
import { translateAliases } from "../aliases/aliases.ts";
import { documentBytes } from "../document/guarded-work.ts";
import { BinaryFileError, FilesError } from "../error/files-error.ts";
import { withSuggestions } from "../file-system/suggest-path.ts";
import { readInTree } from "../file-system/work-in-tree.ts";
import { attemptOn } from "../sandbox/path-segments.ts";
import { worktreeContext, type WorktreeContext, worktreeKey } from "../sandbox/worktree-context.ts";
import { encodingName } from "../text/encoding-name.ts";
import type { LineNumbers } from "../text/line-numbers.ts";
import { binaryReason } from "../text/text-kind.ts";
import { contentVersion, recallVersion, rememberVersion } from "../version/content-version.ts";
import { type FileContents, readContents } from "./read-contents.ts";
import { imageAnswer } from "./read-image.ts";
import type { ReadSoFar, WantedLines } from "./read-lines.ts";
import { canReadPdf, isPdf, pdfAnswer } from "./read-pdf.ts";
import { MAX_BYTES, MAX_LINES, MAX_PROGRAM_BYTES, readSchemas } from "./read-schema.ts";
import { programAnswer, type ReadCall, textAnswer } from "./text-answer.ts";

/** Most bytes of one line, unless it alone was asked for. */
const MAX_LINE_BYTES = 2000;
/** Time between two words on how far a long reading has come. */
const PROGRESS_MS = 250;

/** Makes `read_file`: lines of a text file, each with its number, or an image. */
export function createReadFileTool(numbers: LineNumbers) {
  const { parameters, output } = readSchemas(numbers);
  return defineTool({
    name: "read_file",
    description:
      `Reads a text file or the text of a PDF, or shows a png, jpeg, gif or webp image. Each line of the answer is its number, a tab and its text; numbers are ${numbers.based} and are the ones start_line and end_line (inclusive) take. ` +
      `At most ${MAX_LINES} lines or ${MAX_BYTES / 1024} KB a call; longer lines are cut at ${MAX_LINE_BYTES} bytes. A program gets all of what it asks for, up to ${MAX_PROGRAM_BYTES / 1024 / 1024} MB. Lines in square brackets are notes, not text of the file: they name the call that reads on and, last, the version of the contents.`,
    parameters,
    translate: translateAliases("read_file", parameters, { firstLine: numbers.first }),
    output,
    context: worktreeContext,
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    execute(params, run) {
      const { path, start_line = numbers.first, end_line = -1, start_byte: startByte = 0 } = params;
      const attempt = attemptOn("read", path);
      for (const [name, line] of Object.entries({ start_line, end_line })) {
        if (line >= numbers.first || line < 0) continue;
        return failure(`${attempt}: ${name} is ${line}, the first line is ${numbers.first}`, { code: "invalid_range" });
      }
      const startLine = numbers.placeOf(start_line);
      const endLine = end_line === -1 ? Infinity : numbers.placeOf(end_line);
      if (startLine >= 0 ? endLine < startLine : endLine !== Infinity) {
        const found = startLine >= 0 ? "is before" : "does not go with";
        return failure(
          `${attempt}: end_line ${end_line} ${found} start_line ${start_line}, give -1 to read to the end`,
          {
            code: "invalid_range",
          },
        );
      }
      // A single line that was asked for may fill the whole answer.
      const maxLineBytes = endLine === startLine ? MAX_BYTES - 1024 : MAX_LINE_BYTES;
      const stated = params.encoding === undefined ? undefined : encodingName(params.encoding, attempt);
      const limits =
        run.caller === "program"
          ? { maxLines: Infinity, maxLineBytes: MAX_PROGRAM_BYTES, maxBytes: MAX_PROGRAM_BYTES }
          : { maxLines: MAX_LINES, maxLineBytes, maxBytes: MAX_BYTES };
      const wanted = { startLine, endLine, startByte, ...limits };
      return withSuggestions(run.context, path, () =>
        readInTree(run.context, { verb: "read", path }, (sandbox) => {
          const file = sandbox.openFile(path);
          let pending = false;
          try {
            const reading = (startLine < 0 ? readFromEnd : readContents)(file.fd, wanted, attempt, stated);
            const first = reading.next();
            const answer = (contents: FileContents) =>
              answerWith({ attempt, path: file.path, fd: file.fd, params, wanted, numbers }, contents, run);
            if (first.done) return answer(first.value);
            pending = true;
            return finish(reading, first.value, run, `Looking for line ${start_line}`, answer).finally(() =>
              file.close(),
            );
          } finally {
            if (!pending) file.close();
          }
        }),
      );
    },
  });
}

/** The last lines of a file, as many as `wanted.startLine` is below 0. */
function* readFromEnd(
  ...[fd, wanted, attempt, stated]: Parameters<typeof readContents>
): ReturnType<typeof readContents> {
  const nowhere = Number.MAX_SAFE_INTEGER;
  const counted = yield* readContents(fd, { ...wanted, startLine: nowhere, endLine: nowhere }, attempt, stated);
  const startLine = Math.max(0, (counted.text?.total ?? 0) + wanted.startLine);
  return yield* readContents(fd, { ...wanted, startLine }, attempt, stated);
}

async function finish<Answer>(
  reading: Generator<ReadSoFar, FileContents>,
  first: ReadSoFar,
  { signal, progress }: ToolRun,
  message: string,
  answer: (contents: FileContents) => Answer | Promise<Answer>,
): Promise<Answer> {
  let sofar = first;
  for (let told = performance.now(); ;) {
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    const next = reading.next();
    if (next.done) return answer(next.value);
    sofar = next.value;
    const now = performance.now();
    if (now - told < PROGRESS_MS) continue;
    told = now;
    progress({ message, done: sofar.done, total: sofar.total });
  }
}

function answerWith(
  { fd, wanted, ...call }: ReadCall & { readonly fd: number; readonly wanted: WantedLines },
  contents: FileContents,
  { caller, context, signal }: ToolRun<WorktreeContext>,
) {
  const { attempt, params, numbers } = call;
  const { bytes, head, text, size } = contents;
  const { pages, encoding } = params;
  const answer = caller === "program" ? programAnswer : textAnswer;
  // Its source, where that is text, is shown to a call that states an encoding.
  if (isPdf(head) && encoding === undefined && (text === undefined || pages !== undefined || canReadPdf()))
    return pdfAnswer(documentBytes(fd, bytes, size, attempt), { ...call, wanted, answer, signal });
  if (pages !== undefined)
    throw new FilesError(`${attempt}: found pages, and it is no PDF; leave it out, or send start_line and end_line`, {
      code: "invalid_range",
    });
  if (text !== undefined) {
    // Of a line counted from the end, the number that was found.
    const found = wanted.startLine < 0 ? { start_line: numbers.of(text.lines[0]?.number ?? 0) } : {};
    const version = bytes && versionOf(worktreeKey(context), bytes);
    return answer({ ...call, params: { ...params, ...found } }, text, version);
  }
  const image = imageTypeOf(head);
  if (image === undefined) return refuseBinary(attempt, head);
  return imageAnswer({ ...call, signal }, documentBytes(fd, bytes, size, attempt), image);
}

/** The version of the contents read, which are kept so that a later answer can say how they changed. */
function versionOf(key: ReturnType<typeof worktreeKey>, bytes: Buffer): string | undefined {
  const version = contentVersion(bytes);
  if (version === undefined || recallVersion(key, version) !== undefined) return version;
  return rememberVersion(key, Buffer.from(bytes));
}

async function refuseBinary(attempt: string, head: Buffer): Promise<never> {
  // Loaded here: most programs never meet a binary file.
  const { filetypeinfo } = await import("magic-bytes.js");
  const guesses = filetypeinfo(head);
  // A signature of zeros is none: many files begin so.
  const kind = guesses.find(({ mime }) => mime !== undefined) ?? (head[0] === 0 ? undefined : guesses[0]);
  const media = kind?.mime === undefined ? "" : ` (${kind.mime})`;
  const found = kind === undefined ? binaryReason(head) : `it is a binary file of the kind ${kind.typename}${media}`;
  const advice = adviceOn(kind?.typename, kind?.mime);
  throw new BinaryFileError(`${attempt}: ${found}, read_file reads text and images; ${advice}`);
}

/** Advice for a model on a kind of file that cannot be shown. */
function adviceOn(name = "", mimeType = ""): string {
  if (mimeType.startsWith("image/")) return "convert it to png, jpeg, gif or webp to look at it";
  if (/^(zip|gz|tar|bz2|xz|7z|rar|zst)/.test(name)) return "unpack it with another tool and read what is in it";
  if (mimeType === "application/pdf") return "turn it into text with another tool";
  return "use a program made for such files";
}
