import { UNUSUAL } from "./find-alike.ts";

/** Characters shown of a line, and of the differing part in it. */
const SHOWN = 160;
const SHOWN_REST = 20;

/** Describes in words how the found line differs from the expected one, with both texts around the first difference. */
export function describeDifference(found: string, expected: string): string {
  const hidden = alike(found) === alike(expected) ? /[^ -~]/gu : UNUSUAL;
  const shown = (one: string, other: string) => around(one, other).replace(hidden, escaped);
  return `${kindOfDifference(found, expected)}\n    file:     ${shown(found, expected)}\n    old_text: ${shown(expected, found)}`;
}

function kindOfDifference(found: string, expected: string): string {
  if (found.trimEnd() === expected.trimEnd()) return "only the white space at its end differs";
  if (found.trimStart() === expected.trimStart())
    return `only the indentation differs, ${indentation(found)} in the file, ${indentation(expected)} in old_text`;
  if (found.trim() === expected.trim()) return "only the white space around it differs";
  if (spaced(found) === spaced(expected)) return "only the spacing differs";
  if (found.toLowerCase() === expected.toLowerCase()) return "only upper and lower case differ";
  if (plain(found) === plain(expected)) return "only the kind of quotes, dashes or spaces differs";
  if (alike(found) === alike(expected)) return "only the composition of characters, or invisible characters, differ";
  return restOf(found, expected) === ""
    ? "it ends where old_text goes on"
    : `it differs from ${restOf(found, expected)} on`;
}

function indentation(line: string): string {
  return tabsAndSpaces(line.slice(0, line.length - line.trimStart().length)) || "none";
}

/** How many tabs and spaces white space has, in words; empty for none. */
export function tabsAndSpaces(white: string): string {
  const tabs = white.split("\t").length - 1;
  const spaces = white.length - tabs;
  const count = (number: number, what: string) => (number > 0 ? [`${number} ${what}${number === 1 ? "" : "s"}`] : []);
  return [...count(tabs, "tab"), ...count(spaces, "space")].join(" and ");
}

function spaced(line: string): string {
  return line.replace(/\s+/g, "");
}

/** A character as `\\u` and digits, in two parts where it has two units; a cut is shown as it is. */
function escaped(character: string): string {
  if (character === "…") return character;
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/** A line without invisible characters, and with look-alikes made equal. */
function alike(line: string): string {
  return plain(line.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, ""));
}

function plain(line: string): string {
  return line
    .replace(/[\u2018\u2019\u201b]/g, "'")
    .replace(/[\u201c\u201d\u201f]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-");
}

/** The rest of the found line from the first difference on, ignoring indentation. */
function restOf(found: string, expected: string): string {
  const line = found.trimStart();
  const at = firstDifference(line, expected.trimStart());
  return at === line.length ? "" : JSON.stringify(line.slice(at, at + SHOWN_REST));
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** A line as a JSON string, cut to the part around its first difference from the other. */
function around(line: string, other: string): string {
  if (line.length <= SHOWN) return JSON.stringify(line);
  const from = Math.max(0, Math.min(firstDifference(line, other) - SHOWN / 2, line.length - SHOWN));
  return `${from > 0 ? "…" : ""}${JSON.stringify(line.slice(from, from + SHOWN))}${from + SHOWN < line.length ? "…" : ""}`;
}
