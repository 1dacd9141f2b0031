import type { AnyToolRegistry } from "@dispatch/tools-interface";
import { showArguments } from "@dispatch/tools-interface/display";
import { textDiff } from "../text/text-diff.ts";

/** Arguments that a person changed, and that fit the tool. */
export interface EditedArguments {
  readonly params: unknown;
  /** The changes, as rows of a diff. */
  readonly changes: readonly string[];
}

/** A call whose arguments the person may change before they approve it. */
export interface EditableCall {
  readonly tool: string;
  /** JSON Schema of the arguments. */
  readonly schema: object;
  /** The arguments that would run, as JSON. */
  readonly params: unknown;
  /** Checks changed arguments and runs nothing. Policy and sandbox judge them when the call runs. */
  check(params: unknown): Promise<EditedArguments | { readonly problem: string }>;
}

/** The call as one whose arguments can be changed; `undefined` where its tool or their JSON form is not known. */
export function editableCall(
  registry: AnyToolRegistry | undefined,
  tool: string,
  shown: unknown,
): EditableCall | undefined {
  const params = asJson(shown);
  if (registry?.has(tool) !== true || typeof params !== "object" || params === null) return undefined;
  const { parameters: schema } = registry.get(tool);
  return {
    tool,
    schema,
    params,
    async check(edited) {
      const checked = await registry.get(tool).validate(edited);
      if (!checked.success) return { problem: checked.error.message };
      if (checked.ignored.length > 0) {
        return { problem: `Cannot change the arguments: ${tool} has no field ${namesOf(checked.ignored)}` };
      }
      const same = JSON.stringify(asJson(checked.params)) === JSON.stringify(params);
      if (same) return { problem: "Nothing is changed: approve it as it is" };
      return { params: edited, changes: changesBetween(params, edited) };
    },
  };
}

/** Arguments that differ in nothing that is shown are shown whole. */
function changesBetween(before: unknown, after: unknown): readonly string[] {
  const [old, now] = [showArguments(before), showArguments(after)];
  const rows = textDiff(old.join("\n"), now.join("\n"));
  return rows.length > 0 ? rows : now.map((row) => `+${row}`);
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
