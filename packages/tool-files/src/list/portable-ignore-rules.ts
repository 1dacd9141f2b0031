/** Letters and digits, a few signs, stars and slashes, sets of letters, blanks but at the end. */
const PLAIN = /^!?(?! )(?:[\w.+~@*/$()&',=%-]|\?(?=\*)|\[(?:0-9|a-z|A-Z|[A-Za-z0-9])+\]|\\? (?=\S))+$/;
/** Stars a name of a rule may hold. Rules with more are left out: the cost of matching grows with their power. */
export const MAX_STARS = 3;
export const MAX_RULES = 5000;
export const MAX_RULE_CHARS = 1000;

/**
 * Whether every rule of a `.gitignore` is of the plain kind that Git, ripgrep and {@link IgnoreRules} read alike, as in
 * nearly all such files. Sets, escapes, blanks, other alphabets and anything costly are not plain.
 */
export function arePortableRules(gitignore: string): boolean {
  const lines = gitignore.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
  return lines.length <= MAX_RULES && lines.every(isPlain);
}

function isPlain(line: string): boolean {
  if (line.length > MAX_RULE_CHARS || !PLAIN.test(line) || line.split("**").length - 1 > MAX_STARS) return false;
  return line
    .replace(/^!?\/?|\/$/g, "")
    .split("/")
    .every(
      (name) =>
        name === "**" || (!name.includes("**") && !/^\.*$/.test(name) && name.split("*").length - 1 <= MAX_STARS),
    );
}
