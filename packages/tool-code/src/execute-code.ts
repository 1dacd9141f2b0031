import {
  defineTool,
  failure,
  success,
  type AnyToolRegistry,
  type ToolRecord,
  type ToolRegistry,
  type ToolRun,
} from "@dispatch/tools-interface";
import { z } from "zod";
import { resolveCodeLimits, type CodeLimits } from "./code-limits.ts";
import { notStarted, type CodeOutcome } from "./code-outcome.ts";
import type { CodeRuntime } from "./code-runtime.ts";
import { outcomeText } from "./outcome-text.ts";
import { toolBridge } from "./tool-bridge.ts";

/** Options of {@link createCodeTool}. */
export interface CodeToolOptions {
  /** What runs programs. Without one every call fails with an explanation. Default none. */
  readonly runtime?: CodeRuntime | undefined;
  /** Whose tools programs can call, and the description declares. Default none. */
  readonly registry?: AnyToolRegistry | undefined;
  /** Limits of every execution. Default `DEFAULT_CODE_LIMITS`. */
  readonly limits?: Partial<CodeLimits> | undefined;
  /** Whether a person has to agree to every program. The tools it calls ask for themselves in any case. Default false. */
  readonly needsApproval?: boolean | undefined;
}

const NAME = "execute_code";
const EXCLUDED = [NAME];
/** The tool's own time limit is the runtime's, and a little for starting and ending. In milliseconds. */
const MARGIN_MS = 60_000;
const MAX_TIMEOUT_MS = 2_147_483_647;

const parameters = z.object({
  code: z
    .string()
    .describe(
      "TypeScript: statements with top-level `await` and `return`, or one expression, or a module with `export default`",
    ),
});

const call = z.object({
  name: z.string(),
  status: z.enum(["succeeded", "failed", "abandoned"]),
  duration_ms: z.number(),
});
const output = z.object({
  /** What the program returned; absent when nothing. */
  value: z.unknown().optional(),
  /** All it printed. */
  output: z.string(),
  /** The tools it called, in order. */
  calls: z.array(call),
  /** How long it ran, in milliseconds. */
  duration_ms: z.number(),
});

/** As `generateStubs` counts. */
const CHARS_PER_TOKEN = 4;

/**
 * The tool `execute_code`. Its description declares the tools that are advertised in the registry when this is called,
 * so make it last; programs can call whatever the registry holds when they run.
 *
 * @throws {RangeError} When a limit is out of range.
 */
export function createCodeTool({ runtime, registry, limits: given, needsApproval = false }: CodeToolOptions = {}) {
  const limits = resolveCodeLimits(given);
  return defineTool({
    name: NAME,
    description: describe(registry, limits.declarationChars),
    parameters,
    output,
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    needsApproval,
    timeoutMs: Math.min(limits.totalMs + MARGIN_MS, MAX_TIMEOUT_MS),
    async execute({ code }, run: ToolRun) {
      const outcome =
        runtime === undefined
          ? notStarted({ kind: "unavailable", message: "this host has no runtime for programs" })
          : await runtime.execute({
              code: withoutFence(code),
              stubs: registry?.generateStubs({ exclude: EXCLUDED, detail: "signatures" }) ?? "",
              callTool: toolBridge(run, registry, EXCLUDED),
              signal: run.signal,
              limits: given ?? {},
              onOutput: (text) => run.progress({ message: text }),
            });
      return toResult(outcome, limits.textChars);
    },
  });
}

/** The tool `execute_code`. */
export type CodeTool = ReturnType<typeof createCodeTool>;

/**
 * Adds `execute_code` to a registry whose tools programs can then call. Register the other tools first: its description
 * declares those that are there. Returns the registry, typed with the new tool.
 *
 * @throws {DuplicateToolError} When the registry has a tool of that name.
 */
export function registerCodeTool<Tools extends ToolRecord, Context>(
  registry: ToolRegistry<Tools, Context>,
  options: Omit<CodeToolOptions, "registry"> = {},
): ToolRegistry<Tools & { readonly [NAME]: CodeTool }, Context> {
  return registry.register(createCodeTool({ ...options, registry }));
}

function toResult(outcome: CodeOutcome, textChars: number) {
  const text = outcomeText(outcome, textChars);
  const { error, value, output: printed, durationMs } = outcome;
  const calls = outcome.calls.map(({ name, status, durationMs: ms }) => ({ name, status, duration_ms: ms }));
  if (error === undefined)
    return success(text, {
      data: { ...(value !== undefined && { value }), output: printed, calls, duration_ms: durationMs },
    });
  const { kind, line, column } = error;
  return failure(text, {
    code: kind === "aborted" ? "cancelled" : `code_${kind}`,
    metadata: { kind, line, column, calls, duration_ms: durationMs },
  });
}

function describe(registry: AnyToolRegistry | undefined, maxChars: number): string {
  const tools =
    registry === undefined || maxChars <= 0
      ? ""
      : registry.generateStubs({ exclude: EXCLUDED, declarations: true, maxTokens: maxChars / CHARS_PER_TOKEN }).trim();
  const lines = [
    "Runs a TypeScript program in a sandbox and answers with what it printed (console.log) and returned. Use it to call several tools, to loop, filter or compute; for a single call use the tool itself.",
    "Every program starts afresh: nothing is kept from the one before. There are no packages and no imports from the web. Files in its working directory and hosts it is allowed may be used, if there are any.",
  ];
  if (tools !== "") {
    lines.push(
      "These functions are there, each calls a tool and throws an Error when it fails. Await every call; independent ones with Promise.all:",
      tools,
    );
  }
  return lines.join("\n");
}

/** Takes off a Markdown fence around the whole program. Lines keep their numbers. */
function withoutFence(code: string): string {
  const fenced = /^\s*```[a-z]*[ \t]*\r?\n([\s\S]*?)\r?\n?```\s*$/i.exec(code);
  const inner = fenced?.[1];
  if (fenced === null || inner === undefined || inner.includes("```")) return code;
  return "\n".repeat(code.slice(0, code.indexOf("```")).split("\n").length) + inner;
}
