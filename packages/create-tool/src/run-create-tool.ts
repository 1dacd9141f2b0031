import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { packageFiles } from "./package-files.ts";
import { toToolNames } from "./tool-names.ts";

/** The environment of the command. */
export interface CreateToolHost {
  /** Directory in which relative paths begin, absolute. */
  readonly cwd: string;
  /** Directory of the template, absolute. */
  readonly template: string;
  /** Versions of `@dispatch/tools-interface` that the made package takes, such as `^1.2.3`. */
  readonly version: string;
  readonly print: (text: string) => void;
}

const HELP = `Makes a package with one tool that works: schema, errors, tests, README. Change what it does.

Usage
  npm create @dispatch/tool <tool> -- [options]
  npx pnpm create-tool <tool> [options]          in the repository of Dispatch: one more package of it

Options
  --name <package>   name of the package            (default: tool-TOOL; in the repository @dispatch/tool-TOOL)
  --dir <directory>  where to make it; not there yet (default: ./tool-TOOL; in the repository packages/tool-TOOL)
  --help             this text

Examples
  npm create @dispatch/tool look_up_order
  npm create @dispatch/tool "look up order" -- --name @acme/tool-orders --dir tools/orders
`;

const PACKAGE_NAME = /^(?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*$/;

/**
 * Makes a package.
 *
 * @throws {Error} When the command line is wrong, or the directory is there already; then nothing has been written.
 */
export function runCreateTool(args: readonly string[], { cwd, template, version, print }: CreateToolHost): void {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      name: { type: "string" },
      dir: { type: "string" },
      workspace: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [asked, ...more] = positionals;
  if (values.help === true || asked === undefined) return print(HELP);
  if (more.length > 0) {
    throw new Error(`Cannot make several tools at once: found ${more.join(" ")} too; quote a name of several words`);
  }
  const tool = toToolNames(asked);
  const home = values.workspace === true ? "workspace" : "standalone";
  const directory = values.dir ?? (home === "workspace" ? `packages/tool-${tool.kebab}` : `tool-${tool.kebab}`);
  const name = values.name ?? (home === "workspace" ? `@dispatch/tool-${tool.kebab}` : `tool-${tool.kebab}`);
  if (!PACKAGE_NAME.test(name)) {
    throw new Error(
      `Cannot name a package ${JSON.stringify(name)}: allowed are names such as tool-orders or @acme/tool-orders`,
    );
  }
  const target = path.resolve(cwd, directory);
  const files = packageFiles({ tool, template, name, home, directory: path.basename(target), version });
  mkdirSync(path.dirname(target), { recursive: true });
  try {
    mkdirSync(target);
  } catch (error) {
    throw new Error(
      `Cannot make ${name} in ${directory}: something is there already; name another directory with --dir`,
      {
        cause: error,
      },
    );
  }
  for (const [file, text] of files) {
    mkdirSync(path.dirname(path.join(target, file)), { recursive: true });
    writeFileSync(path.join(target, file), text, { flag: "wx" });
  }
  const next =
    home === "workspace"
      ? ["npx pnpm format", `npx pnpm test ${directory}`, "npx pnpm changeset"]
      : [`cd ${directory}`, "npm install", "npm test"];
  print(
    `${name} is in ${directory}\n${[...files.keys()].map((file) => `  ${file}\n`).join("")}\nNext\n${next.map((line) => `  ${line}\n`).join("")}`,
  );
}
