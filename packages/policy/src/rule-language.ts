import { Environment, type ASTNode } from "@marcbachmann/cel-js";
import { isWithin } from "./file-path.ts";
import { hostOf, isHost } from "./url-host.ts";

/** Most characters of a condition. */
const MAX_CHARS = 4000;
const LIMITS = { maxAstNodes: 500, maxDepth: 50, maxListElements: 500, maxMapEntries: 50, maxCallArguments: 8 };

/** The host's facts about a call. A missing fact makes rules on it decide strictly. */
export interface CallFacts {
  /** The conversation. */
  readonly session?: string | undefined;
  /** The agent. */
  readonly agent?: string | undefined;
  /** The least trust of everything the model has read, such as `low`, `medium` or `high`. */
  readonly trust?: string | undefined;
  /** The amounts spent so far, in the host's own names, such as `{ tokens: 12000, calls: 40 }`. */
  readonly spent?: Readonly<Record<string, number>> | undefined;
  /** Absolute path of the working directory. */
  readonly root?: string | undefined;
}

/** The values that a condition can read. */
export interface Facts extends CallFacts {
  readonly tool: string;
  /** The arguments; absent when JSON cannot hold them, so that a condition on them fails. */
  readonly args?: unknown;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly caller: string;
  readonly parents: readonly string[];
  readonly now: Date;
}

const TIME = "google.protobuf.Timestamp";
const VARIABLES = {
  tool: "string",
  annotations: "map<string, bool>",
  caller: "string",
  parents: "list<string>",
  session: "string",
  agent: "string",
  trust: "string",
  spent: "map<string, double>",
  root: "string",
  now: TIME,
} as const;

/** The names of annotations. */
export const ANNOTATIONS = ["readOnly", "destructive", "idempotent", "openWorld"] as const;

/** JSON has one kind of number, CEL two: here they mix. */
const MIXED: Readonly<Record<string, (one: number, other: bigint) => unknown>> = {
  "==": (one, other) => one === Number(other),
  "+": (one, other) => one + Number(other),
  "-": (one, other) => one - Number(other),
  "*": (one, other) => one * Number(other),
  "/": (one, other) => one / Number(other),
};

/** The type of `args`, for a check: as `registerVariable` takes it. */
export type ArgumentTypes = string | { readonly [name: string]: ArgumentTypes };

/** CEL with the variables and functions of rules. */
export function ruleLanguage(args: ArgumentTypes): Environment {
  const environment = new Environment({ limits: LIMITS });
  for (const [name, type] of Object.entries(VARIABLES)) environment.registerVariable(name, type);
  if (typeof args === "string") environment.registerVariable("args", args);
  else environment.registerVariable({ name: "args", schema: args });
  for (const [operator, work] of Object.entries(MIXED)) environment.registerOperator(`double ${operator} int`, work);
  environment.registerOperator("double in list<int>", (one: number, list: readonly bigint[]) =>
    list.some((other) => one === Number(other)),
  );
  environment.registerFunction("within(string, string, string): bool", isWithin);
  environment.registerFunction("within(string, string): bool", (path, directory: string) =>
    isWithin(path, directory, undefined),
  );
  environment.registerFunction("host(string): string", hostOf);
  environment.registerFunction("isHost(string, string): bool", isHost);
  return environment;
}

const REFUSED: Readonly<Record<string, string>> = {
  matches:
    "regular expressions can take for ever on hostile text: use startsWith, endsWith, contains, within or isHost",
  map: "it can make much of little: use exists, all or filter",
  bind: "it is not needed: write the value twice",
};
const OVER_LISTS: ReadonlySet<string> = new Set(["exists", "all", "exists_one", "filter"]);

/**
 * Why a condition is refused although CEL allows it: it could take longer than its arguments are long. `undefined` when it is
 * fine.
 */
export function refusalOf(source: string, ast: ASTNode): string | undefined {
  if (source.length > MAX_CHARS) return `it has ${source.length} characters, allowed are ${MAX_CHARS}`;
  return refusedPart(ast, undefined);
}

/** @param item - The variable of the list around, if any. */
function refusedPart(node: ASTNode, item: string | undefined): string | undefined {
  const [name, receiver, given] = node.op === "rcall" ? node.args : [];
  if (name !== undefined && REFUSED[name] !== undefined) return `it calls ${name}: ${REFUSED[name]}`;
  const zone = name?.startsWith("get") ? given?.[0] : undefined;
  if (zone !== undefined && !isTimeZone(zone)) return "it names a time zone that is not known, or computes one";
  const repeated = item === undefined ? undefined : repeatedWork(node, item);
  if (repeated !== undefined) return repeated;
  if (name === undefined || receiver === undefined || given === undefined || !OVER_LISTS.has(name)) {
    return firstOf(partsOf(node), item);
  }
  if (item !== undefined && rootOf(receiver) !== item) {
    return `${name} inside of another looks at ${rootOf(receiver) ?? "something made"}, allowed is the outer one's own item`;
  }
  const [variable, ...rest] = given;
  return firstOf([receiver], item) ?? firstOf(rest, variable?.op === "id" ? variable.args : undefined);
}

/** Calls inside of a list that take no longer than the item is long, whatever they are given. */
const WITHIN_ITEM: ReadonlySet<string> = new Set(["startsWith", "endsWith", ...OVER_LISTS]);

/** Work that is done again for each item of a list, and may be about something long other than the item. */
function repeatedWork(node: ASTNode, item: string): string | undefined {
  if (!operandsOf(node).some((operand) => isAboutOther(operand, item))) return undefined;
  const work = node.op === "call" || node.op === "rcall" ? node.args[0] : node.op;
  return `it uses ${work} inside of a list on something else than the item: that could take the length of the one times that of the other`;
}

/** What a node has to read whole. */
function operandsOf(node: ASTNode): readonly ASTNode[] {
  if (node.op === "in") return [node.args[1]];
  if (node.op === "+") return node.args;
  if (node.op === "call") return node.args[0] === "has" ? [] : node.args[1];
  if (node.op !== "rcall" || WITHIN_ITEM.has(node.args[0])) return [];
  const [name, receiver, given] = node.args;
  return name === "contains" ? [receiver] : [receiver, ...given];
}

/** Whether a node reads the arguments, or an item of a list around: what the host knows is short. */
function isAboutOther(node: ASTNode, item: string): boolean {
  if (node.op === "id") return node.args !== item && !Object.hasOwn(VARIABLES, node.args);
  return partsOf(node).some((part) => isAboutOther(part, item));
}

function firstOf(nodes: readonly ASTNode[], item: string | undefined): string | undefined {
  for (const node of nodes) {
    const found = refusedPart(node, item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The nodes inside a node. */
export function partsOf(node: ASTNode): readonly ASTNode[] {
  return [node.args]
    .flat(3)
    .filter((part): part is ASTNode => typeof part === "object" && part !== null && "op" in part);
}

/** The variable that a chain of fields begins with. */
function rootOf(node: ASTNode): string | undefined {
  if (node.op === "id") return node.args;
  return node.op === "." || node.op === "[]" ? rootOf(node.args[0]) : undefined;
}

function isTimeZone(node: ASTNode): boolean {
  if (node.op !== "value" || typeof node.args !== "string") return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: node.args }).format();
    return true;
  } catch {
    return false;
  }
}
