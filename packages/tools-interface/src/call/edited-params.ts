import { isJsonObject, jsonOrReason } from "../json/json.ts";
import type { Repair } from "../repair/repair.ts";
import { withLine, type ToolResult } from "../result/tool-result.ts";

const MAX_VALUE_CHARS = 200;

/** A person's edits to the parameters of a call before they agreed to it, field by field. */
export function editsOf(shown: unknown, edited: unknown): readonly Repair[] {
  const [before, after] = [fieldsOf(shown), fieldsOf(edited)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name): Repair[] => {
    const [from, to] = [textOf(before[name]), textOf(after[name])];
    if (from === to) return [];
    return [{ path: [name], kind: "edited", message: `${JSON.stringify(name)} was edited from ${from} to ${to}` }];
  });
}

/** The same result, telling that the call ran with other parameters than the model sent: the host and the model. */
export function withEdits(result: ToolResult, edits: readonly Repair[], params: unknown): ToolResult {
  const line = `The person who approved the call changed it before it ran: ${edits.map(({ message }) => message).join("; ")}`;
  return withLine(result, line, {
    repairs: [...result.repairs, ...edits],
    metadata: { ...result.metadata, editedParams: jsonOrReason(params) },
  });
}

function fieldsOf(params: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(params) ? params : {};
}

function textOf(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(jsonOrReason(value));
  return text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}…` : text;
}
