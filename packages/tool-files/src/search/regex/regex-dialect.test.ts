import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { REGEX_LINES, REGEX_QUERIES } from "../../../test/regex-cases.ts";
import { searchInSameThread } from "../../../test/same-thread-search.ts";
import { dataOf, makeWorktree, toolsIn } from "../../../test/worktree.ts";
import { FilesError } from "../../error/files-error.ts";
import { toJavaScriptRegex } from "./regex-dialect.ts";

searchInSameThread();

const ATOMS = String.raw`a b . \w \d \s \b \B \W \S [ab] [^a] [\W] [[:alpha:]] [^\w--a] ^ $ | (?:ab) (?i:A) (?i) (?-i:b) (?s) (?U) * + ? *? - {2} é 😀 \p{Lu} \PL \< \> \b{end-half} K [\s\S] ()`;

/** Searches with both engines, with line feeds and with CRLF. */
function engines() {
  const join = (end: string) =>
    Buffer.concat(REGEX_LINES.flatMap((line) => [Buffer.from(line as Uint8Array), Buffer.from(end)]));
  const { root } = makeWorktree({
    "a.txt": join("\n"),
    "b.txt": join("\r\n"),
    "c.txt": "no line end",
    "d.txt": "a\rb b\r",
  });
  const [ripgrep, builtin] = [toolsIn(root), toolsIn(root, { ripgrep: false })];
  return async (query: string, options: object = {}) => {
    const call = { query, is_regex: true, limit: 1000, ...options };
    const [one, other] = await Promise.all([ripgrep("search_files", call), builtin("search_files", call)]);
    // A query that one of them refuses is not compared: a refusal is no wrong answer.
    if (one.success && other.success) expect(dataOf(other), JSON.stringify(call)).toEqual(dataOf(one));
    return [one.success, other.success];
  };
}

test("toJavaScriptRegex() refuses what JavaScript cannot say the same way, and what ripgrep refuses", async () => {
  const refused = String.raw`(?=a) (?!a) (?<=a) (?<!a) (a)\1 \k<n> \z (?-m)^a (?-u)a (?-R)a a\nb a\r \x0D [\n] ( ) a) [a a{ {2} * |* [b-a] [\w-a] a{2,1} \y \e \0 \x7 \xd \x{d800} \p{None} \p{^L} (?z)a (?) (?<a>x \é [\b] \u12`;
  for (const pattern of [...refused.split(" "), "a\\"])
    expect(() => toJavaScriptRegex(pattern, "Cannot search"), pattern).toThrow(FilesError);
  const [ripgrep, builtin] = await engines()(`${"(?:".repeat(300)}a${")".repeat(300)}`);
  expect([ripgrep, builtin]).toEqual([false, false]);
});

test("toJavaScriptRegex() finds the lines that ripgrep finds", async () => {
  const agree = engines();
  for (const [index, query] of REGEX_QUERIES.entries()) {
    expect(await agree(query), query).toEqual([true, true]);
    if (index % 2 === 0) continue;
    const other = index % 4 === 1 ? { ignore_case: true } : { multiline: true };
    expect(await agree(query, other), query).toEqual([true, true]);
  }
});

interface Kept {
  readonly input: string;
  readonly regex?: string;
  readonly refused?: string;
}

/** Expressions that found a fault, or come close to one, with their outcome. A new one becomes a line. */
const corpus = readFileSync(new URL("../../../test/corpus/regexes.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Kept);

test("toJavaScriptRegex() reads or refuses kept expressions as before, and finds the lines that ripgrep finds", async () => {
  const agree = engines();
  for (const { input, regex, refused } of corpus) {
    if (refused === undefined) expect(String(toJavaScriptRegex(input, "Cannot search")), input).toBe(regex);
    else expect(() => toJavaScriptRegex(input, "Cannot search"), input).toThrow(refused);
    if (input !== "") await agree(input);
  }
});

test("toJavaScriptRegex() ignores case in a set as its own flag says, whatever part is before it", () => {
  const without = toJavaScriptRegex("(?-i:b)a|[ab]-", "Cannot search", { ignoreCase: true });
  expect(["A-b", "bA", "BA"].map((text) => without.test(text))).toEqual([true, true, false]);
  for (const set of [String.raw`\p{Lu}`, "[A-Z]", "[[:upper:]]", "[^a-z]"])
    for (const before of ["(?i:A)", "(?i:b)?a", "(?:(?i)a)", "(?i:b)a|a"]) {
      const found = toJavaScriptRegex(`${before}${set}`, "Cannot search");
      expect(
        ["aa", "aA"].map((text) => found.exec(text)?.[0].length === 2),
        String(found),
      ).toEqual([false, true]);
    }
});

test("toJavaScriptRegex() finds them for any expression", async () => {
  const agree = engines();
  const query = fc
    .array(fc.constantFrom(...ATOMS.split(" "), " "), { minLength: 1, maxLength: 6 })
    // Beside a stray continuation byte ripgrep finds a `\B` and a half boundary together that neither should allow.
    .filter((parts) => !(parts.includes(String.raw`\B`) && parts.includes(String.raw`\b{end-half}`)));
  const options = fc.record({ ignore_case: fc.boolean(), multiline: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(query, options, async (parts, some) => void (await agree(parts.join(""), some))),
    { numRuns: 150 },
  );
});
