/** A character no name is likely to hold: the last plane's private use area. */
const MARK = "\u{10fff0}";
const BREAKS = ["\n", "\r", "\u2028", "\u2029", MARK];
const UNSEEN = new RegExp(`[${BREAKS.join("")}]`, "gu");

/** A name for the glob engine, whose wildcards match no line break: such characters are marked, each by its own mark. */
export function toGlobName(name: string): string {
  return name.replace(UNSEEN, (character) => MARK + BREAKS.indexOf(character));
}
