import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const read = (name: string): Manifest =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, "../..", name, "package.json"), "utf8")) as Manifest;
const [own, files, code] = [read("mcp-server"), read("tool-files"), read("tool-code")];

/** The packages themselves are in the command's files; programs and native packages are looked up where it is installed. */
test("the command depends on the programs that its packages look up, in the same versions", () => {
  expect(own.dependencies).toEqual({ "@vscode/ripgrep": files.dependencies["@vscode/ripgrep"] });
  expect(own.optionalDependencies).toEqual(code.optionalDependencies);
  expect(own.peerDependencies).toEqual({ ...files.peerDependencies, ...code.peerDependencies });
});
