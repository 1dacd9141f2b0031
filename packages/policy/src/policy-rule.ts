import { ToolError } from "@dispatch/tools-interface";
import { isJsonObject } from "@dispatch/tools-interface/internal";

/** One rule of a policy, as data: it can stand in a JSON file. */
export interface PolicyRule {
  /** Names the rule in every decision it takes part in. Unique; letters, digits, `.`, `_` and `-`. */
  readonly id: string;
  /** `deny` wins over every other rule, `ask` over `allow`. */
  readonly effect: "allow" | "ask" | "deny";
  /** Names of the tools it is about; `*` at the end stands for any rest. Default: all tools. */
  readonly tools?: readonly string[];
  /** A condition in CEL, such as `args.amount > 100`. Default: always. */
  readonly when?: string;
  /** Why, for the model and for the person who is asked. */
  readonly reason?: string;
}

/**
 * A policy, a rule or a grant that cannot be used. `code` is `invalid_policy`.
 *
 * @example
 * ```ts
 * const report = (error: unknown) => {
 *   if (error instanceof PolicyError) console.error(error.message);
 * };
 * ```
 */
export class PolicyError extends ToolError {
  override readonly name = "PolicyError";

  constructor(message: string, cause?: unknown) {
    super(message, { code: "invalid_policy", cause });
  }
}

const FIELDS: ReadonlySet<string> = new Set(["id", "effect", "tools", "when", "reason"]);
const EFFECTS: ReadonlySet<unknown> = new Set(["allow", "ask", "deny"]);
const ID = /^[\w.-]{1,100}$/;
const TOOL_PATTERN = /^[\w./:-]+\*?$|^\*$/;

/** Most rules of a policy. */
const MAX_RULES = 10_000;

/**
 * Checks rules of any origin, such as a file, and copies them.
 *
 * @throws {PolicyError} For anything that is not a rule, a field that rules do not have, and an id that occurs twice.
 */
export function checkRules(given: unknown): readonly PolicyRule[] {
  if (!Array.isArray(given) || given.length > MAX_RULES) {
    throw new PolicyError(`Cannot create a policy: rules are no array of at most ${MAX_RULES}`);
  }
  const ids = new Set<string>();
  return given.map((rule: unknown, index) => {
    const checked = checkRule(rule, index);
    if (ids.has(checked.id)) throw new PolicyError(`Cannot create a policy: two rules have the id ${checked.id}`);
    ids.add(checked.id);
    return checked;
  });
}

function checkRule(rule: unknown, index: number): PolicyRule {
  const fail = (found: string, allowed: string): never => {
    throw new PolicyError(`Cannot read rule ${index} of a policy: found ${found}, allowed is ${allowed}`);
  };
  if (!isJsonObject(rule)) return fail(`a value of type ${typeof rule}`, "an object");
  const copy = { ...rule };
  for (const key of Object.keys(copy)) {
    if (!FIELDS.has(key)) fail(`the field ${JSON.stringify(key)}`, [...FIELDS].join(", "));
  }
  const { id, effect, tools, when, reason } = copy;
  if (typeof id !== "string" || !ID.test(id)) return fail("no usable id", "1 to 100 letters, digits, '.', '_' and '-'");
  if (!EFFECTS.has(effect)) fail(`the effect ${JSON.stringify(effect)}`, "allow, ask or deny");
  const isPattern = (name: unknown): boolean => typeof name === "string" && TOOL_PATTERN.test(name);
  const isNames = Array.isArray(tools) && tools.length > 0 && tools.every(isPattern);
  if (tools !== undefined && !isNames) fail("unusable tools", "an array of names, with '*' at the end of some");
  if (when !== undefined && typeof when !== "string") fail("a condition that is no text", "CEL");
  if (reason !== undefined && typeof reason !== "string") fail("a reason that is no text", "text");
  const names = isNames ? { tools: Object.freeze([...(tools as string[])]) } : {};
  return Object.freeze({ ...(copy as unknown as PolicyRule), ...names });
}

/** Whether a rule is about a tool. */
export function isAbout({ tools }: Pick<PolicyRule, "tools">, name: string): boolean {
  const isMeant = (pattern: string): boolean =>
    pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
  return tools?.some(isMeant) ?? true;
}
