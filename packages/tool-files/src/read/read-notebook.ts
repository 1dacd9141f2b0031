import { defineTool, failure, success } from "@dispatch/tools-interface";
import { z } from "zod";
import { translateAliases } from "../aliases/aliases.ts";
import { documentBytes, GuardedWork } from "../document/guarded-work.ts";
import type { NotebookCell } from "../document/notebook-cells.ts";
import { FilesError } from "../error/files-error.ts";
import { printableText } from "../error/printable-path.ts";
import { withSuggestions } from "../file-system/suggest-path.ts";
import { readInTree } from "../file-system/work-in-tree.ts";
import { attemptOn } from "../sandbox/path-segments.ts";
import { withOpenFile } from "../sandbox/sandbox.ts";
import { worktreeContext } from "../sandbox/worktree-context.ts";
import type { LineNumbers } from "../text/line-numbers.ts";
import { contentVersion } from "../version/content-version.ts";
import { MAX_BYTES } from "./read-schema.ts";

const work = new GuardedWork("notebookCells");

const parameters = z.object({
  path: z.string().describe("Notebook to read (.ipynb), relative to the worktree"),
  start_cell: z.int().min(0).default(0).describe("First cell, 0-based"),
  end_cell: z.int().min(-1).default(-1).describe("Last cell, 0-based and inclusive; -1 is the last one"),
  outputs: z.boolean().default(true).describe("Whether to show what cells have printed"),
});

const output = z.object({
  path: z.string().describe("The file that was read, links resolved"),
  language: z.string().nullable().describe("Language of the code, null when it is not stated"),
  total_cells: z.int(),
  cells: z.array(
    z.object({
      index: z.int().describe("Place in the notebook, 0-based"),
      type: z.enum(["code", "markdown", "raw"]),
      id: z.string().nullable(),
      source: z.string(),
      outputs: z.array(z.string()).describe("What it has printed, as text"),
    }),
  ),
  next: z.int().nullable().describe("The start_cell of the call that reads on, null when all was shown"),
  version: z.string().nullable().describe("Names the contents for if_version; null for a file above 8 MiB"),
});

/** Makes `read_notebook`: the cells of a Jupyter notebook. */
export function createReadNotebookTool(numbers: LineNumbers) {
  return defineTool({
    name: "read_notebook",
    description: `Reads a Jupyter notebook as its cells, with what they have printed. A line "=== cell 0, code ===" begins a cell; lines of a cell have their ${numbers.based} number in it and a tab, lines of an output begin with ">". At most ${MAX_BYTES / 1024} KB a call; a cut answer says how to go on. To change a notebook use edit_file on its JSON, which read_file shows.`,
    parameters,
    translate: translateAliases("read_notebook", parameters),
    output,
    context: worktreeContext,
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    execute({ path, start_cell: from, end_cell: last, outputs }, run) {
      const attempt = attemptOn("read", path);
      const to = last === -1 ? Number.MAX_SAFE_INTEGER : last;
      if (to < from)
        return failure(`${attempt}: end_cell ${last} is before start_cell ${from}`, { code: "invalid_range" });
      const read = async ({ bytes, place }: { readonly bytes: Buffer; readonly place: string }) => {
        const answer = await work.run({ bytes, from, to, outputs }, attempt, run.signal);
        if ("failed" in answer)
          throw new FilesError(
            `${attempt}: it is no notebook${answer.failed === "not_json" ? ", it is no JSON" : " of nbformat 4, it has no cells"}; read_file shows it as text`,
            { code: "invalid_notebook" },
          );
        const { total, language } = answer;
        if (from > 0 && from >= total)
          throw new FilesError(`${attempt}: start_cell is ${from}, the notebook has ${total} cells`, {
            code: "invalid_range",
          });
        const { cells, lines, next } = page(answer.cells, numbers);
        const version = contentVersion(bytes) ?? null;
        const notes = [
          `notebook${language === null ? "" : ` in ${language}`}, cells ${from} to ${from + cells.length - 1} of ${total}`,
          ...(next === null ? [] : [`cut: go on with start_cell ${next}`]),
          ...(version === null ? [] : [`version ${version}`]),
        ];
        return success([...lines, ...notes.map((note) => `[${note}]`)].join("\n"), {
          data: { path: place, language, total_cells: total, cells, next, version },
        });
      };
      return withSuggestions(run.context, path, async () =>
        read(
          await readInTree(run.context, { verb: "read", path }, (sandbox) =>
            withOpenFile(sandbox, path, ({ fd, size, path: place }) => ({
              bytes: documentBytes(fd, undefined, size, attempt),
              place,
            })),
          ),
        ),
      );
    },
  });
}

type Cell = z.infer<typeof output>["cells"][number];

/** As many cells as an answer holds; the first is cut if it alone is too long. */
function page(cells: readonly NotebookCell[], numbers: LineNumbers) {
  const shown: Cell[] = [];
  const lines: string[] = [];
  let left = MAX_BYTES;
  for (const cell of cells) {
    const text = cellLines(cell, numbers);
    const length = text.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    if (length > left && shown.length > 0) return { cells: shown, lines, next: cell.index };
    left -= length;
    lines.push(...(left < 0 ? cutLines(text) : text));
    shown.push({ ...cell, outputs: [...cell.outputs] });
  }
  return { cells: shown, lines, next: null };
}

function cellLines({ index, type, id, source, outputs }: NotebookCell, numbers: LineNumbers): string[] {
  const name = id === null ? "" : `, id ${id}`;
  return [
    `=== cell ${index}, ${type}${name} ===`,
    ...source
      .replace(/\n$/, "")
      .split(/\r?\n/)
      .map((line, place) => `${numbers.of(place)}\t${line}`),
    ...outputs.flatMap((text) => text.split(/\r?\n/).map((line) => `> ${printableText(line)}`)),
  ];
}

/** The first lines of a cell that is longer than an answer. */
function cutLines(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let left = MAX_BYTES;
  for (const line of lines) {
    left -= Buffer.byteLength(line) + 1;
    if (left < 0) break;
    kept.push(line);
  }
  return [
    ...kept,
    `[cut: this cell is too long, ${lines.length - kept.length} of its lines are not shown, read_file shows them in the JSON]`,
  ];
}
