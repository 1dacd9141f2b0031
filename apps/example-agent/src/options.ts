import { parseArgs } from "node:util";

/** What the command line asks for. */
export interface Options {
  readonly task: string;
  /** Folder to work in, in place. `undefined`: a scratch copy of real code. */
  readonly workspace: string | undefined;
  /** Folder that keeps the memory. `undefined`: thrown away at the end. */
  readonly memory: string | undefined;
  readonly json: boolean;
  readonly ask: boolean;
  readonly keep: boolean;
  readonly help: boolean;
}

const DEFAULT_TASK = 'Rename "thrownMessage" to "describeThrown"';

export const HELP = `An agent with files, memory and a code sandbox, all from @dispatch packages.

Usage
  npx pnpm start [-- options]

Without options it works on a scratch copy of real code. No key and no network are needed: the model is
scripted, and labelled so, but the tools, their results and what it does about them are real.

Options
  --task <text>       What to do. The scripted model can do one kind of task:
                      Rename "old" to "new"              (default: ${DEFAULT_TASK})
  --workspace <dir>   Work in this folder, in place       (default: a scratch copy, removed at the end)
  --memory <dir>      Keep the memory in this folder      (default: thrown away at the end)
  --ask               Ask you, not a scripted person, to approve changes of core memory
  --keep              Keep the scratch copy and say where it is
  --json              Print the conversation and the transcript as JSON; what happens goes to stderr
  --help              This text

Colours are off when the output is no terminal or NO_COLOR is set. Ctrl-C stops cleanly: running calls are
cancelled and recorded, and the exit code is 130.

Examples
  npx pnpm start
  npx pnpm start --json > run.json
  npx pnpm start --workspace ./my-project --task 'Rename "fetchUser" to "loadUser"' --ask
`;

/** Reads the command line. Throws an error fit to be shown as it is. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: args.filter((arg, index) => !(arg === "--" && index === 0)),
    strict: true,
    options: {
      task: { type: "string", default: DEFAULT_TASK },
      workspace: { type: "string" },
      memory: { type: "string" },
      json: { type: "boolean", default: false },
      ask: { type: "boolean", default: false },
      keep: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const { task, workspace, memory, json, ask, keep, help } = values;
  return { task, workspace, memory, json, ask, keep, help };
}
