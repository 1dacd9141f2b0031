import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { makeWorktree } from "../../test/worktree.ts";
import { IgnoreRules } from "./ignore-rules.ts";

const CLASS = "alnum alpha blank cntrl digit graph lower print punct space upper xdigit bad"
  .split(" ")
  .flatMap((name) => [`[[:${name}:]]`, `[![:${name}:]_-]`]);
const SETS = "[ab] [!a] [^a] [a-c] [!a-c] []a] [!]a] []-a] [a [é] [a-é] [a\\]b] [\\a-c] [--0] [a-] [[a] [[:a]".split(
  " ",
);
const STARS = ["*", "*", "**", "***", "****", "?", "??", "/**", "**/", "/**/", "/****/", "/****", "/", "/", "/"];
const ESCAPED = ["\\*", "\\?", "\\a", "\\\\", "\\[", "\\ "];
const PLAIN = "a b c A é 日 - ] ! ^ x 1 . _ ~ #".split(" ");

const piece = fc.oneof(
  fc.constantFrom(...PLAIN, " "),
  fc.constantFrom(...STARS),
  fc.constantFrom(...SETS, ...CLASS, ...ESCAPED),
);
const rule = fc
  .tuple(
    fc.constantFrom("", "", "", "!", "/", "!/"),
    fc.array(piece, { minLength: 1, maxLength: 4 }),
    fc.constantFrom("", "", "", "/", " ", "\r"),
  )
  .map(([first, pieces, last]) => first + pieces.join("") + last);
const name = fc
  .array(fc.constantFrom(...PLAIN, " ", "*", "?", "\\", "[", "ab", "aé", "\t"), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(""))
  .filter((one) => !/^\.{1,2}$/.test(one));
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));

/** Directories, each with rules and files of its own, that are asked about at once. */
const DIRECTORIES = 60;

test("IgnoreRules read every pattern as Git does, byte by byte", () => {
  const { root, at } = makeWorktree();
  execFileSync("git", ["init", "-q", root]);
  const asked = "-c core.ignorecase=false check-ignore --no-index --verbose --non-matching -z --stdin".split(" ");
  const directory = fc.record({
    rules: fc.array(rule, { minLength: 1, maxLength: 3 }).map((lines) => lines.join("\n")),
    files: fc.uniqueArray(path, { minLength: 10, maxLength: 30 }),
  });
  const directories = fc.array(directory, { minLength: DIRECTORIES, maxLength: DIRECTORIES });
  fc.assert(
    fc.property(rule, directories, (above, all) => {
      fs.writeFileSync(at(".gitignore"), above);
      const top = IgnoreRules.none.with("", above);
      const questions = all.flatMap(({ rules, files }, index) => {
        fs.mkdirSync(at(`d${index}`), { recursive: true });
        fs.writeFileSync(at(`d${index}/.gitignore`), rules);
        const below = top.with(`d${index}`, rules);
        // Rules that are too costly are left out, which is said.
        return below.leftOut > 0
          ? []
          : files.map((file) => ({ rules, below, names: [`d${index}`, ...file.split("/")] }));
      });
      const input = questions.map(({ names }) => `${names.join("/")}\0`).join("");
      const { stdout } = spawnSync("git", ["-C", root, ...asked], { input, encoding: "utf8", maxBuffer: 2 ** 26 });
      const fields = stdout.split("\0");
      const wrong = questions.filter(({ below, names }, index) => {
        const [source, , pattern] = fields.slice(index * 4, index * 4 + 4);
        const isOut = names.some((_, depth) => {
          const part = names.slice(0, depth + 1).join("/");
          return (depth === 0 ? top : below).ignores(part, depth + 1 < names.length);
        });
        return isOut !== (source !== "" && !pattern!.startsWith("!"));
      });
      expect(fields).toHaveLength(questions.length * 4 + 1);
      expect(wrong.map(({ rules, names }) => [above, rules, names.join("/")])).toEqual([]);
    }),
    { seed: 1 },
  );
});
