export interface NotebookRequest {
  readonly bytes: Uint8Array;
  /** First and last cell, from 0. */
  readonly from: number;
  readonly to: number;
  readonly outputs: boolean;
}

export interface NotebookCell {
  /** Its place, from 0. */
  readonly index: number;
  readonly type: "code" | "markdown" | "raw";
  /** As the file names it, if that is a plain word. */
  readonly id: string | null;
  readonly source: string;
  /** Printed output as text; any other output as its media type. */
  readonly outputs: readonly string[];
}

export type NotebookAnswer =
  | { readonly total: number; readonly language: string | null; readonly cells: readonly NotebookCell[] }
  | { readonly failed: "not_json" | "no_cells" };

/** Characters shown of one output, and outputs of one cell. */
const MAX_OUTPUT = 4000;
const MAX_OUTPUTS = 20;
/** Characters of all cells that are read: an answer holds far less. */
const MAX_CHARS = 8_000_000;

type Json = Readonly<Record<string, unknown>>;

/** Reads cells of a Jupyter notebook (nbformat 4). To be called in a thread of its own. */
export function notebookCells({ bytes, from, to, outputs }: NotebookRequest): NotebookAnswer {
  let notebook: unknown;
  try {
    notebook = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return { failed: "not_json" };
  }
  const { cells, metadata } = asObject(notebook);
  if (!Array.isArray(cells)) return { failed: "no_cells" };
  const found: NotebookCell[] = [];
  let chars = 0;
  for (let index = from; index <= Math.min(to, cells.length - 1) && chars < MAX_CHARS; index += 1) {
    const cell = cellOf(asObject(cells[index]), index, outputs);
    chars += cell.source.length;
    found.push(cell);
  }
  return { total: cells.length, language: languageOf(asObject(metadata)), cells: found };
}

function cellOf(cell: Json, index: number, withOutputs: boolean): NotebookCell {
  const { cell_type: type, id, source, outputs } = cell;
  const shown =
    withOutputs && Array.isArray(outputs) ? outputs.slice(0, MAX_OUTPUTS).map(asObject).map(outputText) : [];
  const more = withOutputs && Array.isArray(outputs) ? outputs.length - shown.length : 0;
  return {
    index,
    type: type === "markdown" || type === "raw" ? type : "code",
    id: typeof id === "string" && /^[\w-]{1,64}$/.test(id) ? id : null,
    source: textOf(source),
    outputs: more > 0 ? [...shown, `(${more} more outputs are not shown)`] : shown,
  };
}

function outputText({ output_type: type, name, text, data, ename, evalue }: Json): string {
  if (type === "stream") return cut(textOf(text), name === "stderr" ? "stderr: " : "");
  if (type === "error") return cut(`${textOf(ename)}: ${textOf(evalue)}`, "error: ");
  const kinds = asObject(data);
  if (kinds["text/plain"] !== undefined && !Object.keys(kinds).some((kind) => kind.startsWith("image/")))
    return cut(textOf(kinds["text/plain"]), "");
  const named = Object.entries(kinds).map(
    ([kind, value]) => `${kind.slice(0, 60)}, ${textOf(value).length} characters`,
  );
  return cut(`(not shown: ${named.join("; ") || "an output of an unknown kind"})`, "");
}

function cut(text: string, before: string): string {
  // Colours of a terminal are left out.
  const plain = before + text.replace(/\x1b\[[\d;]*[A-Za-z]/g, "").trimEnd();
  if (plain.length <= MAX_OUTPUT) return plain;
  return `${plain.slice(0, MAX_OUTPUT).toWellFormed()}… (${plain.length - MAX_OUTPUT} characters more)`;
}

/** A text, or the text of a list of its pieces. */
function textOf(value: unknown): string {
  const pieces: readonly unknown[] = Array.isArray(value) ? value : [value];
  return pieces.filter((piece) => typeof piece === "string").join("");
}

function languageOf(metadata: Json): string | null {
  const { language } = asObject(metadata["kernelspec"]);
  return typeof language === "string" && /^[\w+#. -]{1,40}$/.test(language) ? language : null;
}

function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}
