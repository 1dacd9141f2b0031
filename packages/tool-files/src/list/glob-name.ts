/** A character no name is likely to hold: the last plane's private use area. */
const MARK = "\u{10fff0}";
const BREAKS = ["\n", "\r", "\u2028", "\u2029", MARK];
const UNSEEN = new RegExp(`[${BREAKS.join("")}]`, "gu");
const MARKED = new RegExp(`${MARK}([0-4])`, "gu");

/** A name for the glob engine, whose wildcards match no line break: such characters are marked. Undone by {@link fromGlobName}. */
export function toGlobName(name: string): string {
  return name.replace(UNSEEN, (character) => MARK + BREAKS.indexOf(character));
}

/** The name, or the path of names, that {@link toGlobName} marked. */
export function fromGlobName(marked: string): string {
  return marked.includes(MARK) ? marked.replace(MARKED, (_, index: string) => BREAKS[Number(index)] ?? "") : marked;
}
