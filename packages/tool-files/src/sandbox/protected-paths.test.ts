import fc from "fast-check";
import ignore from "ignore";
import { expect, test } from "vitest";
import { anyCharacter } from "../../test/any-text.ts";
import { FilesError } from "../error/files-error.ts";
import { foldedName } from "./path-segments.ts";
import { DEFAULT_PROTECTED_PATHS, PathPolicy, type PathRule } from "./protected-paths.ts";

function rules(policy: PathPolicy, paths: readonly string[]): Readonly<Record<string, PathRule>> {
  return Object.fromEntries(paths.map((path) => [path, policy.ruleFor(path.split("/"))]));
}

test("PathPolicy denies what is Git's, however a file system may spell it", () => {
  const paths = [".git", ".git/config", "a/b/.git/hooks/x", ".GIT/x", ".g\u200cit/x", "GIT~1/x", ".git./x", ".git /x"];
  const streams = [".git::$INDEX_ALLOCATION/x", ".g\u0131t/x".replace("\u0131", "I"), "vendor/.git"];
  for (const [path, rule] of Object.entries(rules(new PathPolicy(), [...paths, ...streams])))
    expect(rule, path).toBe("deny");
});

test("PathPolicy has a person asked about what editors, agents and CI obey", () => {
  const paths = [
    ".vscode/tasks.json",
    "packages/a/.vscode/settings.json",
    ".VSCODE/tasks.json",
    ".v\u017fcode/tasks.json",
    "x.code-workspace",
    ".idea/workspace.xml",
    ".devcontainer/devcontainer.json",
    "AGENTS.md",
    "packages/a/agents.md",
    "CLAUDE.md",
    ".claude/settings.json",
    ".cursor/rules/x.mdc",
    ".mcp.json",
    ".github/workflows/ci.yml",
    ".GitHub/Workflows/ci.yml",
    ".github/copilot-instructions.md",
    ".gitlab-ci.yml",
    ".circleci/config.yml",
    "Jenkinsfile",
    ".husky/pre-commit",
    ".envrc",
  ];
  for (const [path, rule] of Object.entries(rules(new PathPolicy(), paths))) expect(rule, path).toBe("ask");
});

test("PathPolicy allows ordinary work without a question", () => {
  const paths = [
    "package.json",
    ".env",
    ".env.local",
    ".gitignore",
    ".github/CODEOWNERS",
    ".github/x",
    ".github/ISSUE_TEMPLATE/bug.md",
    "src/.github/workflows/x.yml",
    "src/main.ts",
    "Makefile",
    "run.sh",
    "build.rs",
    "setup.py",
    "pyproject.toml",
    "package-lock.json",
    "packages/a/package.json",
    "tsconfig.json",
    "vite.config.ts",
    "Dockerfile",
    "README.md",
    "docs/git/config",
    "git/hooks",
    ".gitx/config",
    "vscode/tasks.json",
    "agents.md.ts",
    "...",
    ". .",
    ":x",
    "a\\b",
    " ",
  ];
  for (const [path, rule] of Object.entries(rules(new PathPolicy(), paths))) expect(rule, path).toBe("allow");
  expect(new PathPolicy().ruleFor([])).toBe("allow");
});

test("PathPolicy lets the last pattern that matches decide, the host's after the defaults", () => {
  const policy = new PathPolicy({ "/secrets/": "deny", "secrets/public": "allow", ".vscode": "allow", "*.pem": "ask" });
  expect(rules(policy, ["secrets/a", "secrets/public/x", "a/secrets/x", ".vscode/x", "deep/x.PEM", ".git/x"])).toEqual({
    "secrets/a": "deny",
    "secrets/public/x": "allow",
    "a/secrets/x": "allow",
    ".vscode/x": "allow",
    "deep/x.PEM": "ask",
    ".git/x": "deny",
  });
  expect(new PathPolicy({ ".git": "ask" }).ruleFor([".git", "config"])).toBe("ask");
  expect(new PathPolicy({ "*": "allow" }).ruleFor([".git", "config"])).toBe("allow");
});

test("PathPolicy refuses patterns that match nothing and rules there are not", () => {
  for (const paths of [
    { "": "ask" },
    { "!x": "ask" },
    { "#x": "ask" },
    { " ": "deny" },
    { "a\nb": "ask" },
    { x: "no" },
  ])
    expect(() => new PathPolicy(paths as never), JSON.stringify(paths)).toThrow(FilesError);
});

test("PathPolicy answers the same however often it is asked, for any names", () => {
  const policy = new PathPolicy();
  const name = fc.string({ minLength: 1, unit: anyCharacter }).filter((text) => !/[/\0]|^\.{1,2}$/.test(text));
  fc.assert(
    fc.property(fc.array(fc.oneof(name, fc.constantFrom(...Object.keys(DEFAULT_PROTECTED_PATHS)))), (names) => {
      expect(policy.ruleFor(names)).toBe(policy.ruleFor(names));
      if (names.includes(".git")) expect(policy.ruleFor(names)).toBe("deny");
    }),
    { numRuns: 700 },
  );
});

test("PathPolicy decides as its patterns do, one by one, the last that matches first", () => {
  const name = fc.constantFrom(
    "a",
    "A",
    "ab",
    ".github",
    "x.y",
    "b c",
    "\u017f",
    "é",
    "a.code-workspace",
    "AGENTS.md ",
  );
  const part = fc.constantFrom("a", "a*", "*", "?b", "[ab]", "x.y", "**", ".GitHub", "b c", "É", "\\a", "a\\*");
  const pattern = fc
    .tuple(fc.constantFrom("", "/"), fc.array(part, { minLength: 1, maxLength: 3 }), fc.constantFrom("", "/", " "))
    .map(([first, parts, last]) => first + parts.join("/") + last);
  const rule = fc.constantFrom<PathRule>("allow", "ask", "deny");
  fc.assert(
    fc.property(
      fc.dictionary(pattern, rule, { maxKeys: 4 }),
      fc.array(fc.array(name, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
      (paths, places) => {
        const policy = new PathPolicy(paths);
        const all = [...Object.entries(DEFAULT_PROTECTED_PATHS), ...Object.entries(paths)].toReversed();
        for (const names of places) {
          const path = names.map((one) => foldedName(one) || one).join("/");
          const expected = all.find(([one]) => ignore().add(one).ignores(path))?.[1] ?? "allow";
          expect(policy.ruleFor(names), `${JSON.stringify(paths)} ${path}`).toBe(expected);
        }
      },
    ),
    { numRuns: 500 },
  );
});
