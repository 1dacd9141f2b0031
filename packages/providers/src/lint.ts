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
import { findForGemini } from "./wire/gemini-keywords.ts";
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
  const tools = toolsOf(source);
  const reports = targets.map((target) => [target, reportFor(tools, target)] as const);
  return tools.flatMap((tool, index) => [
    ...described(tool),
    ...readOtherwise(tool),
    ...reports.flatMap(([target, report]) => {
      const own = report[index];
      return own === undefined
        ? []
        : [
            ...ofTarget(target, own),
            ...undocumented(target, tool),
            ...tooMany(target, tool, index),
            ...tooLong(target, tool),
          ];
    }),
  ]);
}

function reportFor(tools: readonly SourceTool[], target: LintTarget): readonly ToolReport[] {
  switch (target) {
    case "anthropic":
      return toAnthropicTools(tools).report;
    case "anthropic-strict":
      return toAnthropicTools(tools, { strict: true }).report;
    case "openai":
      return toOpenAiTools(tools).report;
    case "openai-strict":
      return toOpenAiTools(tools, { strict: true }).report;
    case "gemini":
      return toGeminiTools(tools).report;
    case "mcp":
      return mcpReport(tools);
  }
}

/** MCP takes every schema as it is. */
function mcpReport(tools: readonly SourceTool[]): readonly ToolReport[] {
  const { names } = toMcpTools(tools);
  return tools.map(({ name }) => {
    return { name, wireName: names.toWire(name), strict: false, notStrict: undefined, changes: [] };
  });
}

/** The findings of a report. A field that may be left out and is sent as nullable loses nothing. */
function ofTarget(target: LintTarget, { name, wireName, notStrict, changes }: ToolReport): readonly LintFinding[] {
  const finding = (path: string, what: string, advice: string): LintFinding => ({
    tool: name,
    target,
    path,
    what,
    advice,
  });
  const names =
    name === wireName
      ? []
      : [
          finding(
            "name",
            `it refuses the name, which goes out as ${wireName}`,
            "Use up to 64 letters, digits, _ and -",
          ),
        ];
  const strict =
    notStrict === undefined
      ? []
      : [finding("#", notStrict, "Say it within the subset, or leave strict off for this tool")];
  const lossy = changes.filter(({ kind, keyword }) => kind !== "dropped" && keyword !== "required");
  return [
    ...names,
    ...strict,
    ...lossy.map((one) => finding(one.path, `${one.keyword} is ${one.kind}: ${one.message}`, ADVICE[one.kind])),
  ];
}

const ADVICE = {
  dropped: "Nothing has to be done",
  widened: "Say it without this keyword, or rely on the tool's own validation, which stays as it is",
  narrowed: "Name the fields that a model may send, or leave strict off for this tool",
  described: "Rely on the tool's own validation, which stays as it is",
  renamed: "Use up to 64 letters, digits and _ in names of fields",
} as const;

function readOtherwise({ name, schemaChanges = [] }: SourceTool): readonly LintFinding[] {
  return schemaChanges.map(({ path, message }) => {
    return { tool: name, target: undefined, path, what: message, advice: "Say it in words of draft 7 or later" };
  });
}

/** Google accepts every schema, and documents which keywords its models see. */
function undocumented(target: LintTarget, { name, parameters }: SourceTool): readonly LintFinding[] {
  return target === "gemini"
    ? findForGemini(parameters).map((found) => ({ tool: name, target, ...found, untold: true }))
    : [];
}

function tooMany(target: LintTarget, { name }: SourceTool, index: number): readonly LintFinding[] {
  const most = MAX_TOOLS[target];
  if (most === undefined || index !== most) return [];
  const what = `it is one tool more than the ${most} that a request may have`;
  return [{ tool: name, target, path: "name", what, advice: "Send a subset of the registry" }];
}

function tooLong(target: LintTarget, { name, description }: SourceTool): readonly LintFinding[] {
  if (!target.startsWith("openai") || description.length <= MAX_DESCRIPTION) return [];
  const what = `it has ${description.length} characters, of which some servers take ${MAX_DESCRIPTION}`;
  return [{ tool: name, target, path: "description", what, advice: "Say the rest in the descriptions of the fields" }];
}

/** Missing descriptions, where a model will guess. */
function described(tool: SourceTool): readonly LintFinding[] {
  const finding = (path: string, what: string, advice: string): LintFinding => ({
    tool: tool.name,
    target: undefined,
    path,
    what,
    advice,
  });
  const own =
    tool.description.trim() === ""
      ? [finding("description", "it is empty", "Say what the tool does, when to use it and what it answers")]
      : [];
  const fields = isJsonObject(tool.parameters["properties"]) ? tool.parameters["properties"] : {};
  const silent = Object.entries(fields).filter(([, field]) => !saysWhat(field, tool.parameters));
  return [
    ...own,
    ...silent.map(([key]) =>
      finding(at("#", "properties", key), "it has no description", "Say what it is for, in which unit"),
    ),
  ];
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
