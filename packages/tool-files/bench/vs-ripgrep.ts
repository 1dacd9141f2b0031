import { spawn } from "node:child_process";
import { registerFileTools, type FileToolsOptions } from "@dispatch/tool-files";
import { createToolRegistry } from "@dispatch/tools-interface";
import { rgPath } from "@vscode/ripgrep";

/** Calls a file tool in a tree. Throws if it fails. */
export function callerIn(root: string, options: FileToolsOptions = {}) {
  const registry = registerFileTools(createToolRegistry(), options);
  return async (name: "list_files" | "search_files", params: object) => {
    const result = await registry.dispatch({ name, arguments: params }, { context: { worktreePath: root } });
    if (!result.success) throw new Error(result.error);
    return result;
  };
}

/**
 * Runs ripgrep directly with the tools' rules for omitted files, and reads all of its output, or so many lines. Returns
 * the lines.
 */
export function ripgrepIn(root: string, maxLines = Infinity) {
  const rules = [
    "--no-config",
    "--hidden",
    "--no-require-git",
    "--no-ignore-dot",
    "--no-ignore-global",
    "--glob=!.git",
  ];
  return (...args: readonly string[]) =>
    new Promise<number>((resolve, reject) => {
      const child = spawn(rgPath, [...rules, ...args], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
      let lines = 0;
      child.stdout.on("data", (bytes: Buffer) => {
        for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines += 1;
        if (lines >= maxLines) child.kill();
      });
      child.on("error", reject).on("close", () => resolve(lines));
    });
}
