import { checkOptions } from "./check-options.ts";
import { closestMeaning } from "./closest-match.ts";
import { maskSecrets, quote } from "./describe-received.ts";

/** Properties of a {@link ToolError} besides its message. */
export interface ToolErrorOptions {
  /** Stable, machine-readable name of the failure, in snake_case. */
  readonly code: string;
  /** The error behind this one, if any. Never shown to a model. */
  readonly cause?: unknown;
}

const brand = Symbol.for("@dispatch/tools-interface.ToolError");

/**
 * Base of every error of the `@dispatch` packages.
 *
 * A `ToolError` thrown by a tool becomes a failure with exactly its message and code, so the message must be fit for
 * a model to read. Recognised by a brand instead of by `instanceof`, so that two installed copies of this package
 * understand each other (the marker idea is the AI SDK's).
 *
 * @example
 * ```ts
 * class OrderNotFoundError extends ToolError {
 *   override readonly name = "OrderNotFoundError";
 *
 *   constructor(order: string) {
 *     super(`Cannot look up order ${order}: there is none, ask for the number again`, { code: "order_not_found" });
 *   }
 * }
 * ```
 */
export class ToolError extends Error {
  override readonly name: string = "ToolError";
  /** Stable, machine-readable name of the failure. */
  readonly code: string;

  /** @throws {TypeError} For an option that there is not. */
  constructor(message: string, options: ToolErrorOptions) {
    checkOptions("make a ToolError", options, { code: true, cause: true });
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code;
    Object.defineProperty(this, brand, { value: true });
  }

  /** True for a `ToolError` of any installed copy of this package. Never throws. */
  static isInstance(value: unknown): value is ToolError {
    try {
      return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[brand] === true;
    } catch {
      return false;
    }
  }
}

/**
 * A tool cannot be defined as written. Code `invalid_tool`. Thrown by `defineTool`.
 *
 * @example
 * ```ts
 * try {
 *   defineTool({ name: "a b", description: "", parameters: z.object({}), execute: () => "" });
 * } catch (error) {
 *   if (error instanceof InvalidToolError) console.error(error.message); // code invalid_tool
 * }
 * ```
 */
export class InvalidToolError extends ToolError {
  override readonly name: string = "InvalidToolError";

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, { code: "invalid_tool", ...options });
  }
}

/**
 * A tool of this name is registered already. Code `duplicate_tool`. Thrown by `ToolRegistry.register`.
 *
 * @example
 * ```ts
 * try {
 *   registry.register(tool);
 * } catch (error) {
 *   if (!(error instanceof DuplicateToolError)) throw error; // code duplicate_tool
 * }
 * ```
 */
export class DuplicateToolError extends ToolError {
  override readonly name: string = "DuplicateToolError";
  /** The name that was taken. */
  readonly toolName: string;

  /** @param known - The tool that models know by this name. Default: the one of the same name. */
  constructor(toolName: string, known = toolName) {
    const found =
      known === toolName
        ? "a tool of that name is registered already"
        : `models were told of ${JSON.stringify(known)} by that name, register both before, or choose another name`;
    super(`Cannot register tool ${JSON.stringify(toolName)}: ${found}`, { code: "duplicate_tool" });
    this.toolName = toolName;
  }
}

/**
 * An unknown tool: no tool of this name is registered. Code `tool_not_found`. Thrown by `ToolRegistry.get` and `subset`.
 *
 * @example
 * ```ts
 * try {
 *   registry.get("no_such_tool");
 * } catch (error) {
 *   if (!(error instanceof ToolNotFoundError)) throw error; // code tool_not_found
 * }
 * ```
 */
export class ToolNotFoundError extends ToolError {
  override readonly name: string = "ToolNotFoundError";
  /** The name that was asked for. */
  readonly toolName: string;
  /** The names that are registered. */
  readonly available: readonly string[];

  /** @param known - The names among which a near one is looked for; default: those that are available. */
  constructor(toolName: string, available: readonly string[], known = available) {
    const near = closestMeaning(toolName, known);
    const suggestion = near === undefined ? "no tool has that name. The" : `did you mean ${near}? The`;
    super(`Cannot find tool ${quote(toolName)}: ${suggestion} available tools are ${listed(available)}`, {
      code: "tool_not_found",
    });
    this.toolName = toolName;
    this.available = available;
  }
}

/**
 * A tool failed while it ran. Code `execution_failed`. `cause` holds the thrown value.
 *
 * @example
 * ```ts
 * const result = await registry.dispatch(call);
 * if (!result.success && result.code === "execution_failed") console.warn(result.error); // the text of an ExecutionError
 * ```
 */
export class ExecutionError extends ToolError {
  override readonly name: string = "ExecutionError";
  /** The tool that failed. */
  readonly toolName: string;

  constructor(toolName: string, cause: unknown) {
    super(`${toolName} failed: ${describeThrown(cause)}`, { code: "execution_failed", cause });
    this.toolName = toolName;
  }
}

/** Most characters of a list of names. */
const MAX_LIST_CHARS = 1_000;

function listed(names: readonly string[]): string {
  let text = "";
  for (const [index, name] of names.entries()) {
    if (text.length + name.length > MAX_LIST_CHARS) return `${text} and ${names.length - index} more`;
    text += index === 0 ? name : `, ${name}`;
  }
  return text || "none";
}

/** One readable line for anything that was thrown: errors, strings, null, objects with hostile getters. */
export function thrownMessage(thrown: unknown): string {
  try {
    if (typeof thrown === "string") return thrown || "an empty string was thrown";
    if (typeof thrown === "object" && thrown !== null) {
      // An error's own properties may have any type.
      const said = thrown as { readonly message?: unknown; readonly name?: unknown };
      if (typeof said.message === "string" && said.message !== "") return said.message;
      if (thrown instanceof Error && typeof said.name === "string") return said.name;
    }
    return `${String(thrown)} was thrown`;
  } catch {
    return "something unprintable was thrown";
  }
}

/** Limit for the errors shown behind an error. */
const MAX_CAUSES = 3;

/**
 * A thrown value described for a model: its message and those of the errors behind it, which often explain more,
 * without stacks, host paths and secrets. Never throws.
 */
export function describeThrown(thrown: unknown): string {
  let text = thrownMessage(thrown);
  let error = thrown;
  for (let depth = 0; depth < MAX_CAUSES; depth += 1) {
    const [cause, several] = behind(error);
    for (const told of [several, cause === undefined ? "" : thrownMessage(cause)]) {
      if (told !== "" && !text.includes(told)) text += `: ${told}`;
    }
    if (cause === undefined) break;
    error = cause;
  }
  return withoutHostDetails(text);
}

/** The cause of an error, and the messages of the errors that it gathers. */
function behind(error: unknown): readonly [cause: unknown, several: string] {
  try {
    if (!(error instanceof Error)) return [undefined, ""];
    const gathered = error instanceof AggregateError ? (error.errors as unknown[]).slice(0, MAX_CAUSES) : [];
    return [error.cause ?? undefined, gathered.map(thrownMessage).join(", ")];
  } catch {
    return [undefined, ""];
  }
}

/** Longer texts are cut before they are searched. */
const MAX_SEARCHED_CHARS = 8_000;
const STACK_FRAMES = /\n\s+at [^\n]*/g;
/** The credentials before the `@` of a URL. */
const CREDENTIALS = /(?<=:\/\/)[^\s/@:]*:[^\s/@]+(?=@)/g;
/** A value that is named as a secret: `token=…`, `"password":"…"`. Not `Unexpected token: …`. */
const NAMED =
  /\b(passw(?:or)?d|secret|token|api[-_]?key|access[-_]?key|authorization)(["']?\s*=\s*["']?|["']\s*:\s*["'])[^\s"'&,;]{4,}/gi;
const DRIVE_PATH = /(?:\b[A-Za-z]:|\\)\\(?:[^\\\s'"`<>|:]+\\)+(?=[^\\\s])/g;
const FILE_URL = /\bfile:\/\/(?:[^\s/'"`]*\/)+/g;
/** The first directories of absolute paths. Any other path that begins with a slash may be the route of a URL. */
const ROOTS =
  "home Users root tmp var usr opt etc srv mnt media private proc sys dev run Volumes nix snap workspace workspaces";

let paths: readonly RegExp[] | undefined;

/** Absolute paths up to their last part, inside quotes with spaces and outside without. */
function hostPaths(): readonly RegExp[] {
  if (paths === undefined) {
    // A browser and some edge runtimes have no process.
    const host = (globalThis as { readonly process?: Partial<NodeJS.Process> }).process;
    const own = [host?.cwd?.(), host?.env?.["HOME"], host?.env?.["TMPDIR"]].map((path) => path?.split("/")[1] ?? "");
    const roots = [...ROOTS.split(" "), ...own].filter((root) => /^[\w.-]+$/.test(root)).join("|");
    paths = [
      new RegExp(`(?<=["'\`])/(?:${roots})/(?:[^"'\`\\n/]+/)*(?=[^"'\`\\n/]*["'\`])`, "g"),
      new RegExp(`(?<![\\w/:.…-])/(?:${roots})/(?:[^\\s"'\`/:]+/)*`, "g"),
    ];
  }
  return paths;
}

/**
 * A text of the host, made fit for a model: without stack, with absolute paths shortened to their last part, and with
 * likely secrets masked.
 */
export function withoutHostDetails(text: string): string {
  const searched = text.length > MAX_SEARCHED_CHARS ? `${text.slice(0, MAX_SEARCHED_CHARS).toWellFormed()}…` : text;
  let shown = searched
    .replace(STACK_FRAMES, "")
    .replace(CREDENTIALS, "[secret]")
    .replace(NAMED, "$1$2[secret]")
    .replace(FILE_URL, "…/")
    .replace(DRIVE_PATH, "…\\");
  for (const path of hostPaths()) shown = shown.replace(path, "…/");
  return maskSecrets(shown);
}
