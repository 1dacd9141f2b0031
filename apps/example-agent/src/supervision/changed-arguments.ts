import { cleanText } from "@dispatch/tools-interface/display";
import { textDiff } from "../text/text-diff.ts";

/** Values within values that have rows of their own; deeper ones are a row of JSON. */
const MAX_DEPTH = 20;

/**
 * The changes from some arguments to others, as rows of a diff. Every difference has a row: of white space and of invisible
 * characters, too, and of a number that became a text.
 */
export function changedArguments(before: object, after: object): readonly string[] {
  const rows = textDiff(rowsOf("", before).join("\n"), rowsOf("", after).join("\n"));
  return rows.map((row) => row.slice(0, 1) + cleanText(row.slice(1)));
}

/** A row for each value in a value, by its place, and one for each line of a text. No other value has the same rows. */
function rowsOf(place: string, value: unknown, depth = 0): readonly string[] {
  if (typeof value === "string" && value.includes("\n"))
    return [`${place}:`, ...value.split("\n").map((line) => `  ${line}`)];
  const isEmpty = typeof value !== "object" || value === null || Object.keys(value).length === 0;
  if (isEmpty || depth > MAX_DEPTH) return place === "" ? [] : [`${place}: ${JSON.stringify(value)}`];
  if (Array.isArray(value)) return value.flatMap((item, at) => rowsOf(`${place}[${at}]`, item, depth + 1));
  return Object.entries(value).flatMap(([key, item]) => {
    return rowsOf(`${place}${place && "."}${nameOf(key)}`, item, depth + 1);
  });
}

function nameOf(key: string): string {
  return /^[\w$]+$/.test(key) ? key : JSON.stringify(key);
}
