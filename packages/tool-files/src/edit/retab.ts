/** Lines that are indented by tabs in one text and by spaces in the other. */
export interface TabChange {
  /** Whether spaces become tabs, or tabs become spaces. */
  readonly toTabs: boolean;
  /** Spaces for each tab. */
  readonly width: number;
}

/** Spaces that a tab may stand for. */
const WIDTHS = [2, 3, 4, 8] as const;

/** The ways in which the lines of a text could be indented otherwise: none where it has tabs and spaces at line beginnings. */
export function tabChanges(text: string): readonly TabChange[] {
  const tabs = /^\t/m.test(text);
  return tabs && /^ {2}/m.test(text) ? [] : WIDTHS.map((width) => ({ toTabs: !tabs, width }));
}

/** A text whose lines are indented by tabs instead of spaces, or the reverse. Spaces that make no whole tab stay, as before ` * `. */
export function retab(text: string, { toTabs, width }: TabChange): string {
  if (!toTabs) return text.replaceAll(/^\t+/gm, (tabs) => " ".repeat(tabs.length * width));
  const tabs = (count: number) => "\t".repeat(Math.floor(count / width)) + " ".repeat(count % width);
  return text.replaceAll(/^ +/gm, (spaces) => tabs(spaces.length));
}
