import { oneLine } from "@dispatch/tools-interface/display";
import { Parser } from "htmlparser2";

/** Elements of a page whose contents are never text. */
const UNREAD = new Set(["script", "style", "template", "noscript"]);

/** The text of a piece of HTML on one line, without characters that move anything, cut after so many. */
export function snippetText(html: string, maxChars: number): string {
  let text = "";
  let unread = 0;
  const parser = new Parser({
    onopentag: (name) => void (unread += UNREAD.has(name) ? 1 : 0),
    onclosetag: (name) => void (unread -= UNREAD.has(name) ? 1 : 0),
    ontext: (piece) => void (text += unread > 0 ? "" : piece),
  });
  // Of a text longer than any snippet only the beginning is read.
  parser.end(html.slice(0, 20 * maxChars));
  const line = oneLine(text);
  return line.length > maxChars ? `${line.slice(0, maxChars).toWellFormed()}…` : line.toWellFormed();
}
