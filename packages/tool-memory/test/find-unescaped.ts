/** Text that must be escaped in an answer: tags, line breaks of any kind but the plain one, invisible characters. */
const LOOSE =
  /[<>]|\r|\v|\f|\u0085|\u2028|\u2029|\p{Co}|(?!\u200C|\u200D|\uFE0F|\n|\t)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Says where an answer of the three tools lets a stored text out of its string, `undefined` where it does not.
 *
 * @param answer the text a model reads, JSON after an opening that holds no stored text.
 */
export function findLoose(answer: string): string | undefined {
  const loose = LOOSE.exec(answer)?.[0] ?? (answer.includes("\n") ? "\n" : undefined);
  if (loose !== undefined) return JSON.stringify(loose);
  try {
    JSON.parse(answer.slice(Math.max(answer.indexOf("{"), 0)));
    return undefined;
  } catch {
    return "not JSON";
  }
}

/** The same of a file shown by the façade: a heading, a caution, then numbered lines and nothing else. */
export function findLooseLine(answer: string, path: string): string | undefined {
  const [heading, caution, ...lines] = answer.split("\n");
  if (heading !== `Here's the content of ${path} with line numbers:`) return heading;
  if (caution?.startsWith("(from the web, vouched for by nobody") !== true) return caution;
  const loose = lines.find((line, at) => !line.startsWith(`${String(at + 1).padStart(6)}\t`) || LOOSE.test(line));
  return loose;
}
