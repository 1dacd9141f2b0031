import { describeIssues, formatPath } from "../error/issue.ts";
import { failure, isToolResult, type ToolFailure } from "../result/tool-result.ts";
import type { CompiledSchema } from "../schema/compiled-schema.ts";
import { beforeStart } from "../wait/before-start.ts";
import type { CallOptions, Tool } from "./tool.ts";

/** The failure of a call whose context does not satisfy the tool's `context` schema. */
export async function missingContext(
  { name, timeoutMs }: Pick<Tool, "name" | "timeoutMs">,
  { context, signal }: CallOptions,
  validate: CompiledSchema["validate"],
): Promise<ToolFailure | undefined> {
  const answer = validate(context ?? {});
  const check = "then" in answer ? await beforeStart(answer, { name, timeoutMs }, signal) : answer;
  if (isToolResult(check)) return check;
  if (check.issues === undefined) return undefined;
  const keys = check.issues.map(({ path }) => formatPath(path)).join(", ");
  return failure(
    describeIssues(
      `Cannot call ${name}: the host gave no usable context for ${keys}`,
      check,
      "This is a fault of the host, not of the call",
    ),
    { code: "missing_context", effects: "none", issues: check.issues },
  );
}
