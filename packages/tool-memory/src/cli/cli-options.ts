import { parseArgs } from "node:util";

/** A parsed command line. */
export interface CliRequest {
  /** The command, `help` when there is none. */
  readonly command: string;
  /** The arguments after the command. */
  readonly args: readonly string[];
  /** The options given. */
  readonly options: CliOptions;
}

/** The options of every command. */
type CliOptions = ReturnType<typeof parse>["values"];

/** The command line is invalid. The message describes the mistake. */
export class UsageError extends Error {}

/** Parses a command line. Throws a {@link UsageError}. */
export function toRequest(argv: readonly string[]): CliRequest {
  try {
    const { values, positionals } = parse(argv);
    const [command = "help", ...args] = positionals;
    return { command: values.help === true ? "help" : command, args, options: values };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

function parse(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      memory: text,
      owner: text,
      as: text,
      reason: text,
      json: flag,
      help: { ...flag, short: "h" },
      all: flag,
      edit: text,
      tier: text,
      limit: text,
      actor: text,
      session: text,
      since: text,
      match: text,
      head: text,
      restore: flag,
      yes: flag,
    },
  });
}

/** Parses a whole number. Throws a {@link UsageError}. */
export function toNumber(name: string, value: string | undefined): number {
  if (value !== undefined && /^\d+$/.test(value)) return Number(value);
  throw new UsageError(`${name} is ${JSON.stringify(value ?? "missing")}, allowed is a whole number`);
}

/** Requires an argument. Throws a {@link UsageError}. */
export function toArgument(name: string, value: string | undefined): string {
  if (value !== undefined && value !== "") return value;
  throw new UsageError(`${name} is missing`);
}
