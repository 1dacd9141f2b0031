import fs from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { searchInSameThread } from "../../test/same-thread-search.ts";
import { stillClock } from "../../test/still-clock.ts";
import { dataOf, makeWorktree, toolsIn, useFiller } from "../../test/worktree.ts";

searchInSameThread();
stillClock();

const name = fc.constantFrom("a", "b", "c.log", "build", "x.ts", ".hidden", "ünï", "sub");
const rule = fc
  .tuple(
    fc.constantFrom("", "!", ""),
    fc.constantFrom("", "/", ""),
    fc.array(fc.constantFrom("a", "b", "*.log", "build", "**", "*", "x.*", "sub", ".hidden", "[ab]", "x y"), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.constantFrom("", "/", ""),
  )
  .map(([negated, anchor, names, end]) => negated + anchor + names.join("/") + end);
const ignoreFile = fc.array(rule, { maxLength: 3 }).map((rules) => Buffer.from(rules.join("\n")));
const content = fc
  .array(
    fc.constantFrom(
      ...["one two", "two Two", "", "aab", "säge", "\ttab", "a b\r", "x\u2028y", "end", "tw", "o"].map((text) =>
        Buffer.from(text),
      ),
      Buffer.from([0xe4, 0x61, 0xff]),
      Buffer.from([0x61, 0xc3]),
    ),
    { maxLength: 8 },
  )
  .chain((lines) =>
    fc.tuple(fc.boolean(), fc.boolean(), fc.constant(lines)).map(([end, crlf, all]) => {
      const lineEnd = Buffer.from(crlf ? "\r\n" : "\n");
      const bytes = all.flatMap((line, index) => (index === 0 ? [line] : [lineEnd, line]));
      return Buffer.concat(end ? [...bytes, lineEnd] : bytes);
    }),
  );
const binary = content.map((bytes) => Buffer.concat([Buffer.from([0]), bytes]));
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const tree = fc.record({
  files: fc.dictionary(path, fc.oneof({ weight: 9, arbitrary: content }, binary), { minKeys: 3, maxKeys: 9 }),
  ignores: fc.dictionary(fc.constantFrom("", "a/", "sub/", "a/b/"), ignoreFile, { maxKeys: 3 }),
  git: fc.subarray(["", "a/", "sub/"]),
  link: fc.option(fc.constantFrom("link", "a/link", ".gitignore", "sub/.gitignore"), { nil: undefined }),
});
const params = fc.record(
  {
    query: fc.constantFrom("two", "T", "a", "ä", "b", "o\ntwo", "e", " "),
    path: fc.constantFrom(".", ".", "a", "sub", "a/b", "build"),
    pattern: fc.constantFrom("*.log", "x.ts", "*.{ts,log}", "a/**", "**/b", "*", "[ab]"),
    ignore_case: fc.boolean(),
    context_lines: fc.constantFrom(0, 1, 3),
    mode: fc.constantFrom("lines", "files", "count"),
    include_ignored: fc.boolean(),
    include_hidden: fc.boolean(),
    limit: fc.constantFrom(1, 2, 5, 100),
  },
  { requiredKeys: ["query"] },
);
/** Syntax that Rust and JavaScript read alike. The texts hold no U+2028, CR within a line, or bytes that are not UTF-8. */
const atom = fc.constantFrom(..."a b o t . [ab] [^a] ^ $ | (?:tw) * + ? {2} ä [^\\n]".split(" "), " ");
const regex = fc.array(atom, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
const plainText = fc
  .array(fc.constantFrom("one two", "two Two", "", "aab", "säge", "\ttab", "end", "tw", "o"), { maxLength: 8 })
  .chain((lines) => fc.constantFrom("\n", "\r\n").map((end) => Buffer.from(lines.map((line) => line + end).join(""))));

type Tree = typeof tree extends fc.Arbitrary<infer T> ? T : never;

function make({ files, ignores, git, link }: Tree) {
  const { root, at, outside } = makeWorktree();
  const attempt = (act: () => void) => {
    try {
      act();
    } catch {
      // Something else is there.
    }
  };
  const write = (file: string, bytes: Uint8Array) =>
    attempt(() => {
      fs.mkdirSync(dirname(at(file)), { recursive: true });
      fs.writeFileSync(at(file), bytes);
    });
  fs.writeFileSync(`${outside}/rules`, "a\n*.ts\n");
  if (link !== undefined)
    attempt(() => {
      fs.mkdirSync(dirname(at(link)), { recursive: true });
      fs.symlinkSync(`${outside}/rules`, at(link));
    });
  for (const [file, bytes] of Object.entries(files)) write(file, bytes);
  for (const directory of git) write(`${directory}.git/config`, Buffer.from("two a"));
  for (const [directory, bytes] of Object.entries(ignores)) write(`${directory}.gitignore`, bytes);
  return root;
}

async function bothAnswers(root: string, call: object) {
  const [one, other] = await Promise.all(
    [{}, { ripgrep: false }].map((options) => toolsIn(root, options as object)("search_files", call)),
  );
  return [one!, other!] as const;
}

const fill = useFiller();

test("search_files gives the same answers with both engines, for any tree and options", async () => {
  await fc.assert(
    fc.asyncProperty(
      tree,
      fc.array(params, { minLength: 3, maxLength: 3 }),
      fc.boolean(),
      async (files, calls, filled) => {
        const root = make(files);
        if (filled) fill(root);
        for (const call of calls) {
          const multiline = call.query.includes("\n");
          const [one, other] = await bothAnswers(root, { ...call, multiline });
          expect(String(other), JSON.stringify(call)).toBe(String(one));
          if (one.success) expect(dataOf(other), JSON.stringify(call)).toEqual(dataOf(one));
        }
      },
    ),
    { numRuns: 12 },
  );
});

test("search_files finds the same lines with both engines, for regular expressions of the common syntax", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(path, plainText, { minKeys: 3, maxKeys: 9 }),
      fc.array(fc.tuple(regex, fc.boolean()), { minLength: 5, maxLength: 5 }),
      async (files, queries) => {
        const root = make({ files, ignores: {}, git: [], link: undefined });
        for (const [query, ignore_case] of queries) {
          const call = { query, is_regex: true, ignore_case, limit: 500 };
          const [one, other] = await bothAnswers(root, call);
          // Of some, such as `^*`, only one of them says that they make no sense.
          if (one.success && other.success)
            expect(dataOf(other), JSON.stringify(call)).toEqual({ ...dataOf<object>(one), regex_syntax: "JavaScript" });
        }
        fs.rmSync(root, { recursive: true });
      },
    ),
    { numRuns: 12 },
  );
});

test("search_files goes on where it was cut, through every match once", async () => {
  await fc.assert(
    fc.asyncProperty(
      tree,
      fc.constantFrom("lines", "files"),
      fc.integer({ min: 1, max: 3 }),
      async (files, mode, limit) => {
        const root = make(files);
        for (const options of [{}, { ripgrep: false }] as const) {
          const call = toolsIn(root, options);
          type Data = { matches: object[]; files?: object[]; cursor?: string; truncated: boolean };
          const whole = dataOf<Data>(await call("search_files", { query: "t", mode, limit: 1000 }));
          const found: object[] = [];
          for (let cursor: string | undefined; ;) {
            const page = dataOf<Data>(
              await call("search_files", { query: "t", mode, limit, ...(cursor !== undefined && { cursor }) }),
            );
            found.push(...page.matches, ...(page.files ?? []));
            expect(page.truncated).toBe(page.cursor !== undefined);
            if (page.cursor === undefined) break;
            cursor = page.cursor;
          }
          expect(found).toEqual([...whole.matches, ...(whole.files ?? [])]);
        }
        fs.rmSync(root, { recursive: true });
      },
    ),
    { numRuns: 6 },
  );
});
