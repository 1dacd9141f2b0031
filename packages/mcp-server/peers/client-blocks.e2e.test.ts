import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { expect, test, type TestContext } from "vitest";
import { runProgram } from "./run-program.ts";

const main = path.join(import.meta.dirname, "../src/main.ts");
const page = readFileSync(path.join(import.meta.dirname, "../README.md"), "utf8");

/** The block of a page that follows a line, as a user copies it, with a project of the test's. */
function blockAfter(line: string, project: string): string {
  const [, block] = page.split(`\n${line}\n\n\`\`\`json\n`);
  if (block === undefined) throw new Error(`Cannot find the block of the page: no line ${line}`);
  return block.slice(0, block.indexOf("```")).replaceAll("/path/to/", `${path.dirname(project)}/`);
}

/** An empty project, the home of a user, and `npx` that has the package already. */
function surroundings({ onTestFinished }: TestContext) {
  const home = mkdtempSync(path.join(tmpdir(), "mcp-blocks-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const [bin, project] = [path.join(home, "bin"), path.join(home, "project")];
  for (const directory of [bin, project]) mkdirSync(directory);
  const npx = `#!/bin/sh
[ "$1 $2" = "-y @dispatch/mcp-server" ] || exit 1
shift 2
exec '${process.execPath}' --conditions=@dispatch/source '${main}' "$@"
`;
  writeFileSync(path.join(bin, "npx"), npx);
  chmodSync(path.join(bin, "npx"), 0o755);
  return { home, project, environment: { PATH: `${bin}:${process.env["PATH"]}` } };
}

test.concurrent("Claude Code connects to the server after the command of the page, and knows its block", async (context) => {
  const { home, project, environment } = surroundings(context);
  const claude = (args: readonly string[]): Promise<string> =>
    runProgram("@anthropic-ai/claude-code", "claude", args, home, project, environment);
  const [, command = ""] = /`claude (mcp add dispatch -- npx [^`]+)`/.exec(page) ?? [];
  await claude(command.split(" "));
  expect(await claude(["mcp", "list"])).toMatch(/^dispatch: .*Connected$/m);
  await claude(["mcp", "remove", "dispatch"]);
  writeFileSync(path.join(project, ".mcp.json"), blockAfter("`mcpServers`:", project));
  expect(await claude(["mcp", "list"])).toMatch(/^dispatch: npx -y @dispatch\/mcp-server .*Pending approval/m);
});

test.concurrent("Gemini CLI connects to the server with the block of the page", async (context) => {
  const { home, project, environment } = surroundings(context);
  mkdirSync(path.join(home, ".gemini"));
  writeFileSync(path.join(home, ".gemini/settings.json"), blockAfter("`mcpServers`:", project));
  const trusting = { ...environment, GEMINI_CLI_TRUST_WORKSPACE: "true" };
  // It gives a server five seconds to start, and no setting changes that: a busy machine may need more.
  await expect
    .poll(() => runProgram("@google/gemini-cli", undefined, ["mcp", "list"], home, project, trusting), {
      timeout: 200_000,
    })
    .toMatch(/✓ dispatch: npx -y @dispatch\/mcp-server .* Connected/);
});

test.concurrent("opencode connects to the server with the block of the page", async (context) => {
  const { home, project, environment } = surroundings(context);
  writeFileSync(path.join(project, "opencode.json"), blockAfter("opencode:", project));
  const listed = await runProgram("opencode-ai", "bin/opencode", ["mcp", "list"], home, project, environment);
  expect(listed).toMatch(/✓ dispatch.*connected/);
});
