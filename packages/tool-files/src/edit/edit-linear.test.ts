import { expect, test } from "vitest";
import { FilesError } from "../error/files-error.ts";
import { editBytes } from "./edit-bytes.ts";

/** The report of an edit. A search in quadratic time would take an hour for the largest of these. */
function outcome(content: string | Buffer, old_text: string, new_text = "x"): string {
  try {
    return editBytes(Buffer.from(content as string), [{ old_text, new_text }], "Cannot edit").applied[0]!.tier;
  } catch (error) {
    return error instanceof FilesError ? error.code : String(error);
  }
}

const size = 1_000_000;
const repeated = (piece: string, length = size) => piece.repeat(Math.floor(length / piece.length));

test("editBytes() searches texts that repeat themselves in time linear in their length", () => {
  const half = size / 2;
  expect(outcome(repeated("x\n"), `${repeated("x\n", half)}y\n`)).toBe("text_not_found");
  expect(outcome(repeated("  x y\n"), `${repeated("x y\n", half)}end\n`)).toBe("text_not_found");
  expect(outcome(repeated("x y\r\n"), `${repeated("x y\n", half)}end\n`)).toBe("text_not_found");
  expect(outcome(repeated("x y\n"), repeated("x y\n", half))).toBe("text_ambiguous");
  expect(outcome(repeated("x y \n"), repeated("x y\n", half))).toBe("text_ambiguous");
  expect(outcome(repeated("a"), `b${repeated("a", half)}`)).toBe("text_not_found");
  expect(outcome(repeated("a"), `${repeated("a", half)}b`)).toBe("text_not_found");
  expect(outcome(`${repeated("a")}b`, "a")).toBe("text_ambiguous");
  expect(outcome(`${repeated("a")}b`, repeated("a", half))).toBe("text_ambiguous");
  expect(outcome(`${repeated("a")}b`, `${repeated("a", half)}b`)).toBe("exact");
  expect(outcome(repeated(" \n"), `${repeated(" \n", half)}end`)).toBe("text_not_found");
  const twin = repeated("x y\n", 2000);
  expect(outcome(`${repeated("x y\nz\n")}${twin.replaceAll(/^/gm, " ")}`, twin)).toBe("indentation");
  expect(outcome(repeated("0\tx\n"), `${repeated("x\n", half)}y`)).toBe("text_not_found");
});

test("editBytes() makes 200 edits of a long file with CRLF line ends", () => {
  const rows = Array.from({ length: 40_000 }, (_, row) => `${row},some value,${row * 7}\r\n`);
  const edits = Array.from({ length: 200 }, (_, index) => {
    const row = index * 199;
    return { old_text: `${row},some value,${row * 7}\n${row + 1},`, new_text: `${row},new\nvalue,${row}\n${row + 1},` };
  });
  const { bytes, applied } = editBytes(Buffer.from(rows.join("")), edits, "Cannot edit");
  for (let index = 0; index < 200; index += 1) rows[index * 199] = `${index * 199},new\r\nvalue,${index * 199}\r\n`;
  expect(bytes.toString()).toBe(rows.join(""));
  expect(applied.every(({ crlf }) => crlf)).toBe(true);
});
