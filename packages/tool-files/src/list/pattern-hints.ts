/** Hints on the intended meaning of a pattern without matches, for a search and a listing alike. */
export function patternHints(pattern: string | undefined): string[] {
  if (pattern === undefined) return [];
  if (/[@+?!*]\(/.test(pattern))
    return ["the pattern holds @(…) or the like, which is taken as it stands; write alternatives as {a,b}"];
  if (/,/.test(pattern.replace(/\{[^{}]*\}/g, "")))
    return ["the pattern holds a comma, which is taken as it stands; write alternatives as {a,b}"];
  if (pattern.includes("\\"))
    return ["the pattern holds a backslash, after which a character stands for itself; names are separated by a slash"];
  return pattern.includes("|") ? ["the pattern holds |, which is taken as it stands; write alternatives as {a,b}"] : [];
}
