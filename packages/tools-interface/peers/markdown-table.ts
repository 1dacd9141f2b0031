/** A Markdown table with columns of even width, as the formatter writes it. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(3, ...rows.map((row) => width(row[column] ?? ""))));
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((wide, column) => pad(cells[column] ?? "", wide)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [line(head), `| ${widths.map((wide) => "-".repeat(wide)).join(" | ")} |`, ...body.map(line)].join("\n");
}

function width(text: string): number {
  return text.length;
}

function pad(text: string, wide: number): string {
  return text + " ".repeat(wide - width(text));
}
