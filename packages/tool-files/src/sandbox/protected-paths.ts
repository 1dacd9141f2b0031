import { FilesError } from "../error/files-error.ts";
import { asBytes, gitRule, type GitRule, NameFilter } from "../list/git-rule.ts";
import { foldedCase, foldedName } from "./path-segments.ts";

/** Files that programs obey without a person's command, and the reason to ask before one is written. */
interface ObeyedFiles {
  /** When they are run, or whom they tell what to do. */
  readonly why: string;
  /** Patterns as in {@link ProtectedPaths}. */
  readonly paths: readonly string[];
}

function obeyed(why: string, patterns: string): ObeyedFiles {
  return { why, paths: patterns.trim().split(/\s+/) };
}

/** The files that need approval by default. THREAT_MODEL.md has the same table, which a test compares. */
export const OBEYED_FILES: readonly ObeyedFiles[] = [
  obeyed(
    "run or obeyed when an editor opens the directory",
    `
      .vscode *.code-workspace .idea .fleet .vs .zed *.sublime-project .devcontainer .devcontainer.json .exrc
      .nvim.lua .nvimrc .vimrc .dir-locals.el
    `,
  ),
  obeyed(
    "run when a shell starts or enters the directory",
    `
      .envrc .mise .mise.toml .mise.*.toml .config/mise mise.toml mise.*.toml .tool-versions .bashrc .bash_profile
      .profile .zshrc .zprofile .zshenv
    `,
  ),
  obeyed(
    "tell the next agent what to do, or start programs for it",
    `
      AGENTS.md AGENTS.override.md AGENT.md CLAUDE.md CLAUDE.local.md GEMINI.md QWEN.md WARP.md .agents .claude
      .claude.json .codex .gemini .qwen .cursor .cursorrules .windsurf .windsurfrules .clinerules .roo .roomodes .kiro
      .continue .junie .trae .amazonq .augment .aider.conf.yml .goosehints .rules .opencode opencode.json
      opencode.jsonc crush.json .crush.json .mcp.json .github/copilot-instructions.md .github/instructions
      .github/prompts .github/agents .github/chatmodes .github/hooks
    `,
  ),
  obeyed(
    "run by Git, at a commit or a checkout",
    `
      .gitattributes .gitmodules .gitconfig .githooks .husky .huskyrc* .lintstagedrc* lint-staged.config.*
      .simple-git-hooks.* simple-git-hooks.* .pre-commit-config.yaml .pre-commit-hooks.yaml lefthook.* .lefthook.*
      lefthook-local.* .lefthook-local.* .overcommit.yml
    `,
  ),
  obeyed(
    "make a package manager or compiler run programs, or load packages from elsewhere",
    `
      .npmrc .yarnrc .yarnrc.yml .yarn .pnpmfile.* bunfig.toml .cargo pip.conf .pypirc .bundle .mvn NuGet.config
    `,
  ),
  obeyed(
    "run with the repository's secrets when it is pushed",
    `
      .github/workflows .github/actions .gitlab-ci.yml .gitlab .gitea .forgejo .drone.yml .woodpecker .woodpecker.*
      .buildkite .circleci .cirrus.yml .travis.yml .appveyor.yml appveyor.yml .semaphore .teamcity .tekton
      .azure-pipelines azure-pipelines.* bitbucket-pipelines.yml Jenkinsfile buildspec.yml cloudbuild.yaml
      cloudbuild.yml bitrise.yml codemagic.yaml
    `,
  ),
];

/** Whether a file may be written: `allow`, only after a person approved it (`ask`), or not at all (`deny`). */
export type PathRule = "allow" | "ask" | "deny";

/**
 * Rules for writing, by pattern as in a `.gitignore` file: without a slash (except at its end) at any depth, otherwise
 * from the worktree; a pattern that matches a directory matches everything in it. The last pattern that matches
 * decides. Names are compared without regard to case. A pattern that begins with `!` or `#` is refused, and so is an
 * empty one.
 */
export type ProtectedPaths = Readonly<Record<string, PathRule>>;

/**
 * The default rules. `.git` is protected from every write. Files that programs obey without a person's command need approval
 * (THREAT_MODEL.md lists them): configuration of editors, shells, agents, Git, package managers and CI. Files that run only with the
 * project's own commands (`package.json`, makefiles, scripts, tests) are the project itself and not protected.
 */
export const DEFAULT_PROTECTED_PATHS: ProtectedPaths = Object.freeze({
  ...Object.fromEntries(OBEYED_FILES.flatMap(({ paths }) => paths.map((path) => [path, "ask"] as const))),
  ".git": "deny",
});

interface CompiledRule {
  readonly rule: PathRule;
  readonly pattern: GitRule;
}

/** The default rules, and the names that one of them may match: nearly every path has none of these. */
const DEFAULT_RULES = compile(DEFAULT_PROTECTED_PATHS);
const DEFAULT_NAMES = NameFilter.of(Object.keys(DEFAULT_PROTECTED_PATHS).map(foldedCase));

/** Compiled {@link ProtectedPaths}: the defaults, and after them those of the host. */
export class PathPolicy {
  readonly #added: readonly CompiledRule[];

  constructor(paths: ProtectedPaths = {}) {
    for (const [pattern, rule] of Object.entries(paths)) check(pattern, rule);
    this.#added = compile(paths);
  }

  /** The rule for the place of these names, from the worktree down with links resolved. */
  ruleFor(names: readonly string[]): PathRule {
    const folded = names.map((name) => asBytes(foldedName(name) || name));
    // A rule for a directory is one for all that is in it.
    const paths = folded.map((_, index) => folded.slice(0, index + 1).join("/"));
    const added = ruleOf(this.#added, paths);
    if (added !== undefined) return added;
    const isPlain = DEFAULT_NAMES !== undefined && !paths.some((path) => DEFAULT_NAMES.mayMatch(path));
    return (isPlain ? undefined : ruleOf(DEFAULT_RULES, paths)) ?? "allow";
  }
}

/** The last rule first. */
function compile(paths: ProtectedPaths): readonly CompiledRule[] {
  return Object.entries(paths)
    .map(([pattern, rule]) => ({ rule, pattern: gitRule(asBytes(foldedCase(pattern))) }))
    .toReversed();
}

function ruleOf(rules: readonly CompiledRule[], paths: readonly string[]): PathRule | undefined {
  const last = paths.length - 1;
  return rules.find(({ pattern }) => paths.some((path, index) => pattern.matches(path, index < last)))?.rule;
}

function check(pattern: string, rule: string): void {
  const found =
    /^[!#]|^\s*$/.test(pattern) || pattern.includes("\n")
      ? `the pattern ${JSON.stringify(pattern)}, allowed are those of a .gitignore file that match something`
      : rule !== "allow" && rule !== "ask" && rule !== "deny"
        ? `${JSON.stringify(rule)} for ${JSON.stringify(pattern)}, allowed are "allow", "ask" and "deny"`
        : undefined;
  if (found !== undefined) throw new FilesError(`Cannot protect paths: found ${found}`, { code: "invalid_option" });
}
