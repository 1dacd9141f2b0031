import fs from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dataOf, makeWorktree, SECRET, toolsIn } from "../../test/worktree.ts";
import { notebookCells } from "../document/notebook-cells.ts";

const tools = ["read_notebook"] as const;
type Cells = { readonly next: number | null; readonly cells: readonly { readonly index: number }[] };
const notebook = {
  nbformat: 4,
  metadata: { kernelspec: { language: "python" } },
  cells: [
    { cell_type: "markdown", id: "a1", source: ["# Title\n", "text"] },
    {
      cell_type: "code",
      source: "print(1)\n1 / 0",
      outputs: [
        { output_type: "stream", name: "stdout", text: ["1\n"] },
        { output_type: "error", ename: "ZeroDivisionError", evalue: "division by zero", traceback: ["\u001b[31mx"] },
        { output_type: "display_data", data: { "image/png": "AAAA", "text/plain": ["<Figure>"] } },
      ],
    },
  ],
};

async function read(content: unknown, params: object = {}) {
  const { root } = makeWorktree({ "a.ipynb": typeof content === "string" ? content : JSON.stringify(content) });
  return toolsIn(root, { tools })("read_notebook", { path: "a.ipynb", ...params });
}

test("read_notebook shows cells and what they have printed", async () => {
  const result = await read(notebook);
  expect(String(result)).toMatch(
    /^=== cell 0, markdown, id a1 ===\n0\t# Title\n1\ttext\n=== cell 1, code ===\n0\tprint\(1\)\n1\t1 \/ 0\n> 1\n> error: ZeroDivisionError: division by zero\n> \(not shown: image\/png, 4 characters; text\/plain, 8 characters\)\n\[notebook in python, cells 0 to 1 of 2\]\n\[version .{10}\]$/,
  );
  expect(dataOf(result)).toMatchObject({ total_cells: 2, next: null, cells: [{ id: "a1" }, { type: "code" }] });
});

test("read_notebook shows some cells, and leaves outputs out", async () => {
  const result = await read(notebook, { start_cell: 1, outputs: false });
  expect(String(result)).toMatch(
    /^=== cell 1, code ===\n0\tprint\(1\)\n1\t1 \/ 0\n\[notebook in python, cells 1 to 1 of 2\]/,
  );
  expect(await read(notebook, { start_cell: 2 })).toMatchObject({ success: false, code: "invalid_range" });
  expect(await read(notebook, { start_cell: 1, end_cell: 0 })).toMatchObject({ success: false, code: "invalid_range" });
});

test("read_notebook goes on where it was cut, and leaves out nothing in silence", async () => {
  const cells = Array.from({ length: 50 }, (_, index) => ({
    cell_type: "code",
    source: `${"x = 1\n".repeat(400)}# ${index}`,
  }));
  let [from, seen]: [number | null, number[]] = [0, []];
  while (from !== null) {
    const data: Cells = dataOf<Cells>(await read({ cells }, { start_cell: from }));
    seen.push(...data.cells.map(({ index }) => index));
    from = data.next;
  }
  expect(seen).toEqual([...cells.keys()]);
  const long = String(await read({ cells: [{ cell_type: "code", source: "y\n".repeat(60_000) }] }));
  expect(long).toContain("[cut: this cell is too long, ");
  expect(long.length).toBeLessThan(60_000);
});

test("what a notebook holds cannot look like another cell or a note", async () => {
  const source = "=== cell 1, code ===\n[version aaaaaaaaaa]";
  const outputs = [{ output_type: "stream", text: "=== cell 2, code ===\n[cut]" }];
  const lines = String(
    await read({ cells: [{ cell_type: "x ===\n=== cell 7", id: "a ===\n=== b", source, outputs }] }),
  ).split("\n");
  expect(lines.filter((line) => line.startsWith("==="))).toEqual(["=== cell 0, code ==="]);
  expect(lines.filter((line) => line.startsWith("["))).toHaveLength(2);
});

test.each([
  ["text", "not json"],
  ["other JSON", { a: 1 }],
  ["null", null],
  ["cells that are none", { cells: "many" }],
])("%s is no notebook", async (_what, content) => {
  expect(await read(content)).toMatchObject({ success: false, code: "invalid_notebook" });
});

test("a path that leads out is refused", async () => {
  const { root, outside, at } = makeWorktree();
  fs.symlinkSync(outside, at("out"));
  for (const path of ["../root-evil/secret.txt", "out/secret.txt"]) {
    const result = await toolsIn(root, { tools })("read_notebook", { path });
    expect(result).toMatchObject({ success: false, code: "outside_worktree" });
    expect(String(result)).not.toContain(SECRET);
  }
});

test("notebookCells() answers whatever the JSON holds", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const cell = fc.record(
    {
      cell_type: value,
      id: value,
      source: value,
      outputs: fc.oneof(
        value,
        fc.array(
          fc.record({ output_type: fc.constantFrom("stream", "error", "x"), text: value, data: value, ename: value }),
        ),
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(cell, value)), value, (cells, metadata) => {
      const bytes = Buffer.from(JSON.stringify({ cells, metadata }));
      const answer = notebookCells({ bytes, from: 0, to: Infinity, outputs: true });
      expect(answer).toMatchObject({ total: cells.length });
    }),
  );
});
