import type { AnyTool, JsonSchema } from "@dispatch/tools-interface";
import { isJsonObject, thrownMessage } from "@dispatch/tools-interface/internal";
import type { ASTNode } from "@marcbachmann/cel-js";
import { isAbout, PolicyError, type PolicyRule } from "./policy-rule.ts";
import { ANNOTATIONS, partsOf, refusalOf, ruleLanguage, type ArgumentTypes, type Facts } from "./rule-language.ts";
import { patternHost } from "./url-host.ts";

/** A tool that rules may be about: the tool itself, or the name of one that comes later, whose parameters are unknown. */
export type PolicyTool = Pick<AnyTool, "name" | "parameters"> | string;

/** Whether a rule holds. Throws if that cannot be determined. */
export type Condition = (facts: Facts) => boolean;

type Language = ReturnType<typeof ruleLanguage>;

/** Made at the first policy: it takes a millisecond, and is the same for all. */
let untyped: Language | undefined;

/**
 * Creates a compiler of the conditions of rules about some tools.
 *
 * @throws {PolicyError} From the compiler, for a tool that nobody knows, a field that the tools do not have, and a condition that
 *   is not sound.
 */
export function ruleCompiler(
  tools: Iterable<PolicyTool>,
): (rule: Pick<PolicyRule, "id" | "tools" | "when">) => Condition {
  const known = [...tools].map((tool) => (typeof tool === "string" ? { name: tool, parameters: undefined } : tool));
  const language = (untyped ??= ruleLanguage(ANY_ARGUMENTS));
  const typed = new Map<string, Language>();
  const languageOf = (tool: (typeof known)[number]): Language => {
    const types = argumentTypes(tool.parameters ?? {});
    if (types === ANY_ARGUMENTS) return language;
    const found = typed.get(tool.name) ?? ruleLanguage(types);
    typed.set(tool.name, found);
    return found;
  };
  return ({ id, tools: names, when }) => {
    const fail = (message: string): never => {
      throw new PolicyError(`Cannot use the rule ${id}: ${message}`);
    };
    for (const name of names ?? []) {
      if (name !== "*" && !known.some((tool) => isAbout({ tools: [name] }, tool.name))) {
        fail(`there is no tool ${JSON.stringify(name)}`);
      }
    }
    if (when === undefined) return () => true;
    try {
      const parsed = language.parse(when);
      const refusal = refusalOf(when, parsed.ast);
      if (refusal !== undefined) fail(refusal);
      const nodes = nodesOf(parsed.ast);
      const [literal] = nodes.flatMap((node) => literalFault(node) ?? []);
      if (literal !== undefined) fail(`it uses ${literal}`);
      const [unknown] = nodes.flatMap(unknownAnnotation);
      if (unknown !== undefined) fail(`there is no annotation ${unknown}, but ${ANNOTATIONS.join(", ")}`);
      const checked = withReadFields(when, nodes);
      const about = known.filter((tool) => isAbout({ ...(names && { tools: names }) }, tool.name));
      const faults = about.map((tool) => faultOf(languageOf(tool), checked, tool.name));
      const named = names?.every((name) => !name.endsWith("*")) ?? false;
      const fault = named ? faults.find((found) => found !== undefined) : firstIfAll(faults);
      if (fault !== undefined) fail(fault);
      return (facts) => truth(parsed(facts));
    } catch (thrown) {
      if (thrown instanceof PolicyError) throw thrown;
      return fail(summaryOf(thrown));
    }
  };
}

function firstIfAll(faults: readonly (string | undefined)[]): string | undefined {
  return faults.every((found) => found !== undefined) ? faults[0] : undefined;
}

function truth(value: unknown): boolean {
  if (typeof value !== "boolean") throw new TypeError("the condition is neither true nor false");
  return value;
}

function faultOf(language: Language, source: string, tool: string): string | undefined {
  const { valid, type, error } = language.check(source);
  if (!valid) return `${error === undefined ? "it is no CEL" : summaryOf(error)} (for ${tool})`;
  return type === "bool" || type === "dyn" ? undefined : `it is of type ${type}, allowed is bool`;
}

function summaryOf(thrown: unknown): string {
  const [first = ""] = thrownMessage(thrown).split("\n");
  return first;
}

/** A node and all within it. */
function nodesOf(node: ASTNode): readonly ASTNode[] {
  return [node, ...partsOf(node).flatMap(nodesOf)];
}

/** The engine does not check the field in `has(args.field)`: the text that is checked reads it. */
function withReadFields(source: string, nodes: readonly ASTNode[]): string {
  let text = source;
  for (const { start, end, op, args } of nodes.toSorted((a, b) => b.start - a.start)) {
    const [name, [field]] = op === "call" ? args : ["", []];
    if (name !== "has" || field === undefined) continue;
    text = `${text.slice(0, start)}(dyn(${source.slice(field.start, field.end)}) != null)${text.slice(end)}`;
  }
  return text;
}

function unknownAnnotation(node: ASTNode): readonly string[] {
  const [object, field] = node.op === "." ? node.args : [];
  const isOf = object?.op === "id" && object.args === "annotations";
  return isOf && field !== undefined && !ANNOTATIONS.some((name) => name === field) ? [field] : [];
}

/** The type of arguments that are not known. */
const ANY_ARGUMENTS = "map<string, dyn>";

const IDENTIFIER = /^[A-Za-z_]\w*$/;
const MAX_DEPTH = 8;

/** The types of a tool's arguments as far as its schema says them, so that a rule about a field it has not is found. */
function argumentTypes(schema: JsonSchema): ArgumentTypes {
  const types = typesOf(schema, 0);
  return typeof types === "string" ? ANY_ARGUMENTS : types;
}

function typesOf(schema: unknown, depth: number): ArgumentTypes {
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return "dyn";
  const { type, enum: listed, properties, items } = schema;
  if (type === undefined && Array.isArray(listed) && listed.every((value) => typeof value === "string"))
    return "string";
  if (type === "string") return "string";
  if (type === "boolean") return "bool";
  if (type === "number" || type === "integer") return "double";
  if (type === "array") {
    const item = typesOf(items, depth + 1);
    return typeof item === "string" && !item.startsWith("list") ? `list<${item}>` : "list<dyn>";
  }
  if (type !== "object" || !isJsonObject(properties)) return "dyn";
  const fields = Object.entries(properties);
  // Other names cannot be checked by the engine, so nothing of such an object is.
  if (fields.length === 0 || !fields.every(([name]) => IDENTIFIER.test(name))) return ANY_ARGUMENTS;
  return Object.fromEntries(fields.map(([name, field]) => [name, typesOf(field, depth + 1)]));
}

const ON_TEXT: ReadonlySet<string> = new Set(["startsWith", "endsWith", "contains"]);

/**
 * The fault of a text in a condition that no call could ever match, so that a rule which denies would silently deny nothing:
 * a pattern that is no host, a host in another form than `host` answers, a directory with `*`. `undefined` without one.
 */
function literalFault(node: ASTNode): string | undefined {
  if (node.op === "call") {
    const [name, [, second]] = node.args;
    const text = textOf(second);
    if (text === undefined) return undefined;
    if (name === "isHost" && canonical(text) === undefined)
      return `isHost with ${JSON.stringify(text)}, which is no host and no domain such as "*.example.com"`;
    if (name === "within" && (text.includes("*") || text === ""))
      return `within with ${JSON.stringify(text)}, allowed is a directory: all below it is within`;
    return undefined;
  }
  if (node.op === "==" || node.op === "!=" || node.op === "in") {
    const [left, right] = node.args;
    const texts = isHostCall(left) ? textsOf(right) : isHostCall(right) ? textsOf(left) : [];
    const odd = texts.find((text) => canonical(text) !== text);
    return odd === undefined ? undefined : `host compared with ${JSON.stringify(odd)}, ${advice(odd)}`;
  }
  if (node.op === "rcall") {
    const [name, receiver, [given]] = node.args;
    const text = ON_TEXT.has(name) && isHostCall(receiver) ? textOf(given) : undefined;
    if (text !== undefined && text !== text.toLowerCase())
      return `host compared with ${JSON.stringify(text)}, but hosts are in lower case`;
  }
  return undefined;
}

function advice(text: string): string {
  const host = text.startsWith("*.") ? undefined : canonical(text);
  return host === undefined
    ? "which no host is: name a host, or use isHost for a domain and those below it"
    : `but its form is ${JSON.stringify(host)}`;
}

function canonical(text: string): string | undefined {
  try {
    return patternHost(text);
  } catch {
    return undefined;
  }
}

function isHostCall(node: ASTNode): boolean {
  return node.op === "call" && node.args[0] === "host";
}

function textsOf(node: ASTNode): readonly string[] {
  const nodes = node.op === "list" ? node.args : [node];
  return nodes.flatMap((each) => textOf(each) ?? []);
}

function textOf(node: ASTNode | undefined): string | undefined {
  return node?.op === "value" && typeof node.args === "string" ? node.args : undefined;
}
