import { cleanText } from "../text/clean-text.ts";
import type { Screen } from "./screen.ts";

/** Writes rows of a diff in colour, each on one line; what is beyond `most` is counted. */
export function showDiff(screen: Screen, rows: readonly string[], most = Number.POSITIVE_INFINITY): void {
  for (const row of rows.slice(0, most)) {
    const style = row.startsWith("+") ? "green" : row.startsWith("-") ? "red" : "dim";
    screen.line(`    ${screen.paint(style, cleanText(row))}`);
  }
  if (rows.length > most) screen.line(screen.paint("dim", `    and ${rows.length - most} more lines`));
}
