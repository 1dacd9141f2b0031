/** Files that programs obey without a person's command, and the reason to ask before one is written. */
export interface ObeyedFiles {
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
