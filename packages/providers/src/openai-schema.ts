import type { SourceTool } from "@dispatch/tools-interface/internal";
import { OPENAI_STRICT } from "./openai-strict.ts";
import { collectChanges } from "./wire/format-report.ts";
import { toRootObject } from "./wire/root-object.ts";
import { type PreparedSchema, type StrictOptions, asksStrict, compileStrict } from "./wire/wire-tools.ts";

/** Prepares a tool's schema for both APIs of OpenAI. */
export function prepareForOpenAi(tool: SourceTool, options: StrictOptions): PreparedSchema {
  const { changes, note } = collectChanges();
  const schema = toRootObject(tool.parameters, note);
  const loose = { schema, plans: [], strict: false, changes };
  if (!asksStrict(options, tool)) return loose;
  const compiled = compileStrict(schema, OPENAI_STRICT);
  if (typeof compiled === "string") return { ...loose, notStrict: compiled };
  return { schema: compiled.schema, plans: [compiled.plan], strict: true, changes: [...changes, ...compiled.changes] };
}
