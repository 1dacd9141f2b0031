import type { JsonSchema } from "@dispatch/tools-interface";
import {
  type SourceTool,
  type ToolSource,
  checkOptions,
  isJsonObject,
  toolsOf,
} from "@dispatch/tools-interface/internal";
import { toMcpTools } from "@dispatch/tools-interface/mcp";
import { toAnthropicTools } from "./anthropic.ts";
import { toGeminiTools } from "./gemini.ts";
import { toOpenAiTools } from "./openai.ts";
import { type ToolReport, at } from "./wire/format-report.ts";
import { type Fault, findForGemini } from "./wire/gemini-keywords.ts";
export type { SourceTool, ToolSource } from "@dispatch/tools-interface/internal";

/** Targets that tools can be checked for. `openai` stands for both of its APIs. */
export type LintTarget = "anthropic" | "anthropic-strict" | "openai" | "openai-strict" | "gemini" | "mcp";

/** One thing that could be better about a tool. Nothing found here stops a tool from being sent. */
export interface LintFinding {
  /** The tool's name. */
  readonly tool: string;
  /** Which target it concerns. `undefined` when it concerns every one. */
  readonly target: LintTarget | undefined;
  /** Where in the tool's schema, as a JSON Pointer after `#`; `name` or `description` for those. */
  readonly path: string;
  /** The fault. */
  readonly what: string;
  /** How to mend it. */
  readonly advice: string;
  /** The target accepts the keyword, and documents that its models may not see it. Absent otherwise. */
  readonly untold?: true;
}

/** Options of {@link lintTools}. */
export interface LintOptions {
  /** The targets to check for. Default: every target without strict schemas. */
  readonly targets?: readonly LintTarget[];
}

const DEFAULT_TARGETS: readonly LintTarget[] = ["anthropic", "openai", "gemini", "mcp"];
/** How many tools a request may have, as documented in 2026-11. */
const MAX_TOOLS: { readonly [target in LintTarget]?: number } = {
  openai: 128,
  "openai-strict": 128,
  gemini: 512,
};

/** Characters of a tool's description, as OpenAI documented for functions and some of its servers still refuse. */
const MAX_DESCRIPTION = 1024;

/**
 * Finds faults of tools before a model or a provider meets them: names and schemas that a target refuses and that are
 * therefore sent changed, and information that a model lacks. In the order of the tools, then of the targets.
 *
 * @throws {TypeError} For an option or a target that there is not.
 * @throws {ToolError} Code `duplicate_tool` when two of a list have one name.
 *
 * @example
 * ```ts
 * for (const { tool, target, path, what, advice } of lintTools(registry, { targets: ["openai-strict"] })) {
 *   console.warn(`${tool} ${path} (${target ?? "any"}): ${what}. ${advice}`);
 * }
 * ```
 */
export function lintTools(source: ToolSource, options: LintOptions = {}): LintFinding[] {
  checkOptions("check tools", options, { targets: true });
  const { targets = DEFAULT_TARGETS } = options;
  const unknown = targets.find((target) => !Object.hasOwn(REPORTS, target));
  if (unknown !== undefined)
    throw new TypeError(
      `Cannot check tools: found the target ${JSON.stringify(unknown)}, allowed are ${Object.keys(REPORTS).join(", ")}`,
    );
  const tools = toolsOf(source);
  const reports = targets.map((target) => [target, REPORTS[target](tools)] as const);
  return tools.flatMap((tool, index) => {
    const found = (target: LintTarget | undefined, faults: readonly Fault[]): LintFinding[] =>
      faults.map(([path, what, advice]) => ({ tool: tool.name, target, path, what, advice }));
    return [
      ...found(undefined, faultsForAll(tool)),
      ...reports.flatMap(([target, report]) => [
        ...found(target, reported(report[index])),
        // Google accepts every schema, and documents which keywords its models see.
        ...found(target, target === "gemini" ? findForGemini(tool.parameters) : []).map((one): LintFinding => ({
          ...one,
          untold: true,
        })),
        ...found(target, beyondLimits(target, tool, index)),
      ]),
    ];
  });
}

type Tools = readonly SourceTool[];

const REPORTS: { readonly [target in LintTarget]: (tools: Tools) => readonly ToolReport[] } = {
  anthropic: (tools) => toAnthropicTools(tools).report,
  "anthropic-strict": (tools) => toAnthropicTools(tools, { strict: true }).report,
  openai: (tools) => toOpenAiTools(tools).report,
  "openai-strict": (tools) => toOpenAiTools(tools, { strict: true }).report,
  gemini: (tools) => toGeminiTools(tools).report,
  // It takes every schema as it is.
  mcp: (tools) =>
    toMcpTools(tools).tools.map(({ name: wireName }, index) => {
      return { name: tools[index]?.name ?? "", wireName, strict: false, notStrict: undefined, changes: [] };
    }),
};

/** The faults of a report. A field that may be left out and is sent as nullable loses nothing. */
function reported(report: ToolReport | undefined): readonly Fault[] {
  if (report === undefined) return [];
  const { name, wireName, notStrict, changes } = report;
  const faults: Fault[] = [];
  if (name !== wireName) {
    const what = `it refuses the name, which goes out as ${wireName}`;
    faults.push(["name", what, "Use up to 64 letters, digits, _ and -"]);
  }
  if (notStrict !== undefined)
    faults.push(["#", notStrict, "Say it within the subset, or leave strict off for this tool"]);
  for (const { path, kind, keyword, message } of changes) {
    if (kind !== "dropped" && keyword !== "required")
      faults.push([path, `${keyword} is ${kind}: ${message}`, ADVICE[kind]]);
  }
  return faults;
}

const ADVICE = {
  widened: "Say it without this keyword, or rely on the tool's own validation, which stays as it is",
  narrowed: "Name the fields that a model may send, or leave strict off for this tool",
  described: "Rely on the tool's own validation, which stays as it is",
  renamed: "Use up to 64 letters, digits and _ in names of fields",
} as const;

function beyondLimits(target: LintTarget, { description: { length } }: SourceTool, index: number): readonly Fault[] {
  const faults: Fault[] = [];
  const most = MAX_TOOLS[target];
  if (most !== undefined && index === most) {
    const what = `it is one tool more than the ${most} that a request may have`;
    faults.push(["name", what, "Send a subset of the registry"]);
  }
  if (target.startsWith("openai") && length > MAX_DESCRIPTION) {
    const what = `it has ${length} characters, of which some servers take ${MAX_DESCRIPTION}`;
    faults.push(["description", what, "Say the rest in the descriptions of the fields"]);
  }
  return faults;
}

/** Missing descriptions, where a model will guess, and words of older drafts. */
function faultsForAll({ description, parameters, schemaChanges = [] }: SourceTool): readonly Fault[] {
  const faults: Fault[] = [];
  if (description.trim() === "")
    faults.push(["description", "it is empty", "Say what the tool does, when to use it and what it answers"]);
  const fields = isJsonObject(parameters["properties"]) ? parameters["properties"] : {};
  for (const [key, field] of Object.entries(fields)) {
    if (!saysWhat(field, parameters))
      faults.push([at("#", "properties", key), "it has no description", "Say what it is for, in which unit"]);
  }
  for (const { path, message } of schemaChanges) faults.push([path, message, "Say it in words of draft 7 or later"]);
  return faults;
}

/** A field speaks for itself when it is described or takes one value only. */
function saysWhat(field: unknown, root: JsonSchema): boolean {
  if (!isJsonObject(field)) return true;
  const { description, $ref } = field;
  if (typeof description === "string" && description.trim() !== "") return true;
  if (Object.hasOwn(field, "const")) return true;
  const defs = isJsonObject(root["$defs"]) ? root["$defs"] : {};
  const target = typeof $ref === "string" ? defs[$ref.replace("#/$defs/", "")] : undefined;
  return isJsonObject(target) && typeof target["description"] === "string";
}
