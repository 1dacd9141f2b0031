import { createReadStream, readFileSync, writeFileSync } from "node:fs";
import { parseArgs, styleText } from "node:util";
import { cautionFor } from "../block/caution.ts";
import { quote } from "../block/label.ts";
import { isBelow, TIERS } from "../block/memory-block.ts";
import type { MemoryEvent } from "../block/memory-event.ts";
import type { PendingMutation } from "../block/mutation.ts";
import { toJsonLines } from "../history/json-lines.ts";
import type { Memory } from "../memory/open-memory.ts";
import { escapeInvisible } from "../text/escape-invisible.ts";
import { toUnifiedDiff } from "../text/unified-diff.ts";

/** The streams of a command. */
export interface CliStreams {
  /** Standard input. */
  readonly input: AsyncIterable<string>;
  /** Writes results. */
  readonly output: (text: string) => void;
  /** Writes error messages. */
  readonly errors: (text: string) => void;
  /** Whether to print colours. */
  readonly colour: boolean;
}

/** Makes a printer for a person. Stored texts cannot move the cursor, change colours or reverse the direction of text. */
export function createPrinter({ output, colour }: Pick<CliStreams, "output" | "colour">) {
  const paint = (format: Parameters<typeof styleText>[0], text: string): string =>
    colour ? styleText(format, text, { validateStream: false }) : text;
  const clean = (text: string): string => escapeInvisible(text, "\t\n");
  return {
    /** Prints a line. */
    line: (text = ""): void => output(`${clean(text)}\n`),
    /** Prints a bold line. */
    title: (text: string): void => output(`${paint("bold", clean(text))}\n`),
    /** Prints a dimmed line. */
    faint: (text: string): void => output(`${paint("dim", clean(text))}\n`),
    /** Prints a unified diff, or any text whose lines begin with `+` or `-`. */
    diff(text: string): void {
      for (const line of clean(text).split("\n")) {
        const isName = /^(?:\+\+\+|---|@@) /.test(line);
        const format = isName ? "bold" : line.startsWith("+") ? "green" : line.startsWith("-") ? "red" : undefined;
        output(`${format === undefined ? line : paint(format, line)}\n`);
      }
    },
  };
}

/** Prints for a person. */
type Printer = ReturnType<typeof createPrinter>;

/** The input and output of a command. */
interface Command extends CliRequest, Pick<CliStreams, "input" | "output"> {
  /** The memory. */
  readonly memory: Memory;
  /** Prints for a person. */
  readonly print: Printer;
  /** Prints a result: as JSON if requested, otherwise with the function. Returns whether the result is a success. */
  readonly show: (result: object, printed: () => void) => boolean;
}

/** The commands by name. Each resolves to whether it succeeded. */
export const commands: Readonly<Record<string, (command: Command) => Promise<boolean>>> = {
  async pending({ memory, print, show }) {
    const pending = await memory.admin.pending();
    return show(pending, () => {
      if (pending.length === 0) print.line("Nothing waits for you.");
      for (const mutation of pending) printMutation(print, mutation);
    });
  },
  async approve({ memory: { admin }, args, options, print, show }) {
    if (options.all !== true && args.length === 0) throw new UsageError("name a proposal, or give --all");
    const all = options.all === true ? await admin.pending() : [];
    if (options.json !== true) for (const mutation of all) printMutation(print, mutation);
    const ids = options.all === true ? all.map(({ id }) => id) : await toIds(admin, args);
    if (options.edit !== undefined && ids.length !== 1) throw new UsageError("--edit is for one proposal");
    const content = options.edit === undefined ? undefined : readFileSync(options.edit, "utf8").replace(/\n$/, "");
    let good = true;
    for (const id of ids) {
      const result = await admin.approve(id, { reason: options.reason, content });
      good =
        show({ id, ...result }, () => {
          if (result.outcome === "applied") print.line(`Approved ${id}: ${quote(result.block.label)}`);
          else print.line(result.reason);
        }) && good;
    }
    return good;
  },
  async reject({ memory: { admin }, args, options, print, show }) {
    const [id = ""] = await toIds(admin, [toArgument("ID", args[0])]);
    const result = await admin.reject(id, toArgument("REASON", options.reason ?? args.slice(1).join(" ")));
    return show(result, () => print.line(result.outcome === "rejected" ? `Rejected ${id}` : result.reason));
  },
  async vouch({ memory: { admin }, args, options, print, show }) {
    const block = await admin.get(toArgument("LABEL", args[0]));
    if (block === null) return show({ outcome: "refused" }, () => print.line(`There is no block ${args[0]}.`));
    const { label, content, version } = block;
    if (options.json !== true) print.line(content);
    const result = await admin.write({ label, content, expectVersion: version, reason: options.reason });
    return show(result, () =>
      print.line(result.outcome === "applied" ? `This text of ${quote(label)} is your word now.` : result.reason),
    );
  },
  async extend({ memory: { admin }, args, print, show }) {
    const [id = ""] = await toIds(admin, [toArgument("ID", args[0])]);
    const result = await admin.extend(id, toNumber("DAYS", args[1]));
    return show(result, () =>
      print.line("outcome" in result ? result.reason : `${id} waits until ${result.expiresAt}`),
    );
  },
  async list({ memory, options, print, show }) {
    const tier = TIERS.find((known) => known === options.tier);
    if (options.tier !== undefined && tier === undefined) throw new UsageError(`tiers are ${TIERS.join(", ")}`);
    const blocks = await memory.manager.list({ tier });
    return show(blocks, () => {
      if (blocks.length === 0) print.line("There are no blocks.");
      for (const { label, tier: at, permission, version, characters, source, trust } of blocks) {
        print.title(label);
        print.faint(
          `  ${at}, ${permission}, version ${version}, ${characters} characters, from ${source}, trust ${trust}`,
        );
      }
    });
  },
  async show({ memory, args, print, show }) {
    const block = await memory.admin.get(toArgument("LABEL", args[0]));
    if (block === null) return show({ outcome: "refused" }, () => print.line(`There is no block ${args[0]}.`));
    return show(block, () => {
      const { label, tier, permission, version, source, trust, updatedAt, content } = block;
      print.title(label);
      print.faint(`${tier}, ${permission}, version ${version} of ${updatedAt}, from ${source}, trust ${trust}`);
      print.line(content);
    });
  },
  async history({ memory, args, options, print, show }) {
    const { actor, session, since } = options;
    const limit = options.limit === undefined ? undefined : toNumber("--limit", options.limit);
    const events = await memory.admin.history(args[0], { limit, actor, session, since });
    return show(events, () => {
      for (const event of events) printEvent(print, event);
    });
  },
  async undo({ memory, args, options, print, show }) {
    const { actor, session, since, reason } = options;
    const named = actor !== undefined || session !== undefined;
    if (named === args.length > 0) throw new UsageError("name events, or --actor or --session");
    const target = named ? { actor, session, since } : args.map((arg) => toNumber("SEQ", arg));
    const result = await memory.admin.undo(target, { reason });
    return show(result, () => {
      if (result.outcome !== "undone") print.line(result.reason);
      else if (result.events.length === 0) print.line("There was nothing to undo.");
      else for (const event of result.events) printEvent(print, event);
    });
  },
  async export({ memory, args: [file], output, print }) {
    const exported = await memory.admin.export();
    if (file === undefined) for (const line of toJsonLines(exported)) output(line);
    else {
      writeFileSync(file, [...toJsonLines(exported)].join(""), { mode: 0o600 });
      print.line(`Exported ${exported.blocks.length} blocks and ${exported.events.length} events.`);
    }
    return true;
  },
  async import({ memory, args, options, input, print, show }) {
    const file = toArgument("FILE", args[0]);
    const pieces = file === "-" ? input : (createReadStream(file, "utf8") as AsyncIterable<string>);
    const { restore, reason } = options;
    const result = await memory.admin.import(pieces, { restore, reason });
    return show(result, () => {
      if (result.outcome === "refused") print.line(result.reason);
      else {
        const { blocks, unchanged, proposals, events } = result;
        print.line(`Imported ${blocks} blocks and ${events} events; ${unchanged} were there; ${proposals} proposals.`);
      }
    });
  },
  async backup({ memory, args, print }) {
    await memory.backup(toArgument("DIRECTORY", args[0]));
    print.line("Copied every owner's memory.");
    return true;
  },
  async forget({ memory, args: [label], options, print, show }) {
    const { actor, match } = options;
    if (options.yes !== true) throw new UsageError("forgetting cannot be undone; give --yes");
    const result = await memory.admin.forget({ label, actor, match });
    return show(result, () => {
      if ("outcome" in result) print.line(result.reason);
      else print.line(`Forgotten: ${result.blocks} blocks, ${result.events} events, ${result.mutations} proposals.`);
    });
  },
  async verify({ memory, options, print, show }) {
    const [seq, hash] = options.head?.split(":") ?? [];
    const noted =
      options.head === undefined ? undefined : { seq: toNumber("--head", seq), hash: toArgument("HASH", hash) };
    const result = await memory.admin.verify(noted);
    show(result, () =>
      print.line(
        result.ok
          ? `The history holds. Head: ${result.head.seq}:${result.head.hash}`
          : `It does not hold: ${result.reason}`,
      ),
    );
    return result.ok;
  },
};

/** A shorter beginning could be that of another proposal, which was not looked at. */
const MIN_ID_CHARS = 4;

/** Completes shortened ids of pending proposals. */
async function toIds(admin: Memory["admin"], given: readonly string[]): Promise<readonly string[]> {
  const pending = await admin.pending();
  return given.map((start) => {
    if (start.length < MIN_ID_CHARS)
      throw new UsageError(
        `${JSON.stringify(start)} is too short for a proposal; give at least ${MIN_ID_CHARS} characters`,
      );
    const found = pending.filter(({ id }) => id.startsWith(start));
    if (found.length > 1)
      throw new UsageError(`${start} is the beginning of ${found.length} proposals; give more of it`);
    return found[0]?.id ?? start;
  });
}

function printMutation(print: Printer, mutation: PendingMutation): void {
  const { id, op, label, tier, actor, source, trust, reason, at, expiresAt, stale, diff } = mutation;
  const { supersedesLabel, supersedesVersion } = mutation;
  print.title(`${id}  ${op} ${quote(label)} (${tier})`);
  print.faint(`by ${actor.id} at ${at}, from ${source}, trust ${trust}, expires ${expiresAt}`);
  if (reason !== null) print.line(`Reason: ${escapeInvisible(reason)}`);
  if (supersedesLabel !== null) print.line(`Supersedes ${quote(supersedesLabel)} (version ${supersedesVersion})`);
  if (stale) print.line("A block has changed since: look at the texts again.");
  if (isBelow(trust, "medium")) print.line(`Caution: ${cautionFor(mutation)}`);
  print.diff(diff);
  print.line();
}

function printEvent(print: Printer, event: MemoryEvent): void {
  const { seq, kind, label, version, actor, session, reason, undoes, at, before, after, is, was } = event;
  const run = session === null ? "" : `, session ${session}`;
  print.title(`${seq}  ${kind} ${quote(label)} (version ${version})`);
  if (kind === "forgotten") return;
  const state = is ?? was;
  print.faint(
    `${at} by ${actor.id}${run}, from ${state?.source}, trust ${state?.trust}${undoes === null ? "" : `, undoes ${undoes}`}`,
  );
  if (reason !== null) print.line(`Reason: ${escapeInvisible(reason)}`);
  if (was !== null && is !== null && (was.label !== is.label || was.tier !== is.tier)) {
    print.line(`${quote(was.label)} (${was.tier}) is now ${quote(is.label)} (${is.tier})`);
  }
  if (was !== null && is !== null && was.permission !== is.permission)
    print.line(`${was.permission} is now ${is.permission}`);
  print.diff(toUnifiedDiff({ name: "before", text: before }, { name: "after", text: after }));
}

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
function toNumber(name: string, value: string | undefined): number {
  if (value !== undefined && /^\d+$/.test(value)) return Number(value);
  throw new UsageError(`${name} is ${JSON.stringify(value ?? "missing")}, allowed is a whole number`);
}

/** Requires an argument. Throws a {@link UsageError}. */
function toArgument(name: string, value: string | undefined): string {
  if (value !== undefined && value !== "") return value;
  throw new UsageError(`${name} is missing`);
}
