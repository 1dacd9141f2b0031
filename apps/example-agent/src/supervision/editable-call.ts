import type { AnyToolRegistry, ApprovalRequest } from "@dispatch/tools-interface";
import { changedArguments } from "./changed-arguments.ts";

/** Arguments that a person changed, and that fit the tool. */
export interface EditedArguments {
  readonly params: unknown;
  /** The changes from what would have run to what will run, as rows of a diff. */
  readonly changes: readonly string[];
}

/** A call whose arguments the person may change before they approve it. */
export interface EditableCall {
  readonly tool: string;
  /** JSON Schema of the arguments. */
  readonly schema: object;
  /** The arguments that would run, as JSON. */
  readonly params: unknown;
  /** Checks changed arguments, by the tool's schema and the policy. Runs nothing; the sandbox judges them when the call runs. */
  check(params: unknown): Promise<EditedArguments | { readonly problem: string }>;
}

/**
 * The call as one whose arguments can be changed; `undefined` where its tool or their JSON form is not known.
 *
 * @param check Of the request for approval. Without it the policy judges changed arguments when they run.
 */
export function editableCall(
  registry: AnyToolRegistry | undefined,
  tool: string,
  shown: unknown,
  check?: ApprovalRequest["check"],
): EditableCall | undefined {
  const params = asJson(shown);
  if (registry?.has(tool) !== true || typeof params !== "object" || params === null) return undefined;
  const { parameters: schema } = registry.get(tool);
  /** As the tool would get them, in JSON. */
  const runs = async (edited: unknown): Promise<{ readonly params: object } | { readonly problem: string }> => {
    const checked = await registry.get(tool).validate(edited);
    if (!checked.success) return { problem: checked.error.message };
    if (checked.ignored.length > 0) {
      return { problem: `Cannot change the arguments: ${tool} has no field ${namesOf(checked.ignored)}` };
    }
    const judged = check === undefined ? { fits: true as const, params: checked.params } : await check(edited);
    if (!judged.fits) return { problem: judged.reason };
    const plain = asJson(judged.params);
    if (typeof plain === "object" && plain !== null) return { params: plain };
    return { problem: `Cannot change the arguments: ${tool} makes something of them that cannot be shown` };
  };
  return {
    tool,
    schema,
    params,
    async check(edited) {
      const first = await runs(edited);
      if ("problem" in first) return first;
      const changes = changedArguments(params, first.params);
      if (changes.length === 0) return { problem: "Nothing is changed: approve it as it is" };
      // A default may be another value the next time: then the one that is shown is sent. Nothing else may come out otherwise.
      for (const sent of [filled(edited, first.params), edited]) {
        const again = await runs(sent);
        if (!("problem" in again) && changedArguments(first.params, again.params).length === 0)
          return { params: sent, changes };
      }
      return { problem: `Cannot change the arguments: ${tool} makes other values of them each time` };
    },
  };
}

/** What was sent, with the fields that the schema added. */
function filled(sent: unknown, made: unknown): unknown {
  if (Array.isArray(sent) && Array.isArray(made)) return sent.map((item, at) => filled(item, made[at]));
  if (!isFields(sent) || !isFields(made)) return sent;
  const own = Object.entries(sent).map(([name, value]) => [name, filled(value, ownOf(made, name))]);
  const added = Object.entries(made).filter(([name]) => !Object.hasOwn(sent, name));
  return Object.fromEntries([...own, ...added]) as object;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function ownOf(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function namesOf(ignored: readonly { readonly path: readonly PropertyKey[] }[]): string {
  return ignored.map(({ path }) => JSON.stringify(path.map(String).join("."))).join(", ");
}

function asJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value)) as unknown;
  } catch {
    return undefined;
  }
}
