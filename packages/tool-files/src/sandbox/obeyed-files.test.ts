import { expect, test } from "vitest";
import { PathPolicy } from "./protected-paths.ts";

const OBEYED = [
  ".github/instructions/a.instructions.md",
  ".github/prompts/a.prompt.md",
  ".windsurf/rules/a.md",
  "QWEN.md",
  "opencode.json",
  ".kiro/steering/a.md",
  ".roo/rules/a.md",
  ".continue/config.yaml",
  ".zed/tasks.json",
  ".gitea/workflows/a.yml",
  ".forgejo/workflows/a.yml",
  ".drone.yml",
  ".buildkite/pipeline.yml",
  "lefthook.yml",
  ".mise.toml",
];

test.each(OBEYED)("ruleFor() asks about %s, in any case, and not about names that only look like it", (path) => {
  const policy = new PathPolicy();
  expect(policy.ruleFor(path.split("/"))).toBe("ask");
  expect(policy.ruleFor(path.toUpperCase().split("/"))).toBe("ask");
  expect(policy.ruleFor([`x${path.replaceAll("/", "-")}`])).toBe("allow");
});
