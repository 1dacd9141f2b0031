import { cleanText } from "@dispatch/tools-interface/display";
import type { Screen } from "./screen.ts";

/** Writes rows of a diff in colour, each on one line; rows beyond `maxRows` are counted. */
export function showDiff(screen: Screen, rows: readonly string[], maxRows = Number.POSITIVE_INFINITY): void {
  for (const row of rows.slice(0, maxRows)) {
    const style = row.startsWith("+") ? "green" : row.startsWith("-") ? "red" : "dim";
    screen.line(`    ${screen.paint(style, cleanText(row))}`);
  }
  if (rows.length > maxRows) screen.line(screen.paint("dim", `    and ${rows.length - maxRows} more lines`));
}
