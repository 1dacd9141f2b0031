import {
  defineTool,
  failure,
  success,
  type AnyToolRegistry,
  type ImagePart,
  type ToolRecord,
  type ToolRegistry,
  type ToolRun,
} from "@dispatch/tools-interface";
import { checkOptions } from "@dispatch/tools-interface/internal";
import { z } from "zod";
import { AnswerShapes } from "./answer-shapes.ts";
import { codeDescription } from "./code-description.ts";
import { resolveCodeLimits, type CodeLimits } from "./code-limits.ts";
import { notStarted, type CodeOutcome } from "./code-outcome.ts";
import type { CodeRuntime } from "./code-runtime.ts";
import { describeTool } from "./describe-tool.ts";
import { withHint } from "./failure-hint.ts";
import { findHostFunction, hostStubs } from "./host-function.ts";
import { ImageCollector } from "./image-collector.ts";
import { namedStubs } from "./named-stubs.ts";
import { outcomeText } from "./outcome-text.ts";
import { OutputStore } from "./output-store.ts";
import { PendingApproval } from "./pending-approval.ts";
import { valueFunctions, type ProgramValues } from "./program-values.ts";
import { toolBridge } from "./tool-bridge.ts";

/** Options of {@link createCodeTool}. */
export interface CodeToolOptions {
  /** Runs programs. Without it every call fails with an explanation. Default none. */
  readonly runtime?: CodeRuntime | undefined;
  /**
   * Holds the tools that programs can call, and no others; the description declares those that it offers to programs.
   * Default: the registry that the call comes through, nothing declared.
   */
  readonly registry?: AnyToolRegistry | undefined;
  /** Limits of every execution. Default `DEFAULT_CODE_LIMITS`. */
  readonly limits?: Partial<CodeLimits> | undefined;
  /** Whether a person must approve every program. The tools it calls ask for approval by themselves. Default false. */
  readonly needsApproval?: boolean | undefined;
  /**
   * Where programs keep values for later ones: those of one conversation, or a function that finds them by the context of
   * the call. Default: nothing is kept.
   */
  readonly values?: ProgramValues | ((context: unknown) => ProgramValues) | undefined;
  /** Whether images that a program writes to its working directory become content of the result. Default false. */
  readonly imageFiles?: boolean | undefined;
}

const NAME = "execute_code";
const EXCLUDED = [NAME];
/** Added to the limit of the runtime, for the start and the end of a process. */
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
  /** The program's return value; absent if there is none. */
  value: z.unknown().optional(),
  /** All it printed. */
  output: z.string(),
  /** The tools it called, in order. */
  calls: z.array(call),
  /** The files it made or changed in its working directory. */
  files: z.array(z.object({ path: z.string(), bytes: z.number() })).optional(),
  /** How long it ran, in milliseconds. */
  duration_ms: z.number(),
});

/**
 * Creates the tool `execute_code`. Its description declares the tools that the registry offers to programs at that moment,
 * so create it last. Programs can call every tool that the registry holds when they run, but for those of models only.
 *
 * @throws {RangeError} When a limit is out of range.
 *
 * @example
 * ```ts
 * const tool = createCodeTool({ runtime: new DenoRuntime(), registry });
 * const result = await tool.call({ code: "return 1 + 2" });
 * ```
 */
export function createCodeTool(options: CodeToolOptions = {}) {
  checkOptions("create a tool for code", options, {
    runtime: true,
    registry: true,
    limits: true,
    needsApproval: true,
    values: true,
    imageFiles: true,
  });
  const { runtime, registry, limits: given, needsApproval = false, values, imageFiles = false } = options;
  const limits = resolveCodeLimits(given);
  const outputs = new OutputStore();
  const describer = registry && describeTool(registry, EXCLUDED);
  return defineTool({
    name: NAME,
    description: codeDescription(
      registry,
      EXCLUDED,
      limits.declarationChars,
      values !== undefined,
      runtime?.description,
    ),
    parameters,
    output,
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    needsApproval,
    timeoutMs: Math.min(limits.totalMs + MARGIN_MS, MAX_TIMEOUT_MS),
    async execute({ code: sent }, run: ToolRun) {
      if (runtime === undefined) {
        const missing = notStarted({ kind: "unavailable", message: "this host has no runtime for programs" });
        return toResult(missing, outcomeText(missing, { maxChars: limits.textChars }), []);
      }
      const code = withoutFence(sent);
      const images = new ImageCollector();
      const functions = [...(describer ? [describer] : []), outputs.readOutput, images.showImage];
      if (values !== undefined)
        functions.push(...valueFunctions(typeof values === "function" ? values(run.context) : values));
      const toolStubs = registry?.generateStubs({ exclude: EXCLUDED, detail: "signatures" }) ?? "";
      const stubs = toolStubs + hostStubs(functions, toolStubs);
      const bridge = toolBridge(run, registry, EXCLUDED);
      const shapes = new AnswerShapes();
      const pending = new PendingApproval();
      const ended = await runtime.execute({
        code,
        stubs: namedStubs(code, stubs),
        callTool: async (name, params, more) => {
          const host = findHostFunction(functions, name);
          if (host !== undefined) return host.call(Array.isArray(params) ? params : []);
          const answer = await pending.around(() => bridge(name, params, more));
          shapes.add(name, answer);
          return answer;
        },
        signal: AbortSignal.any([run.signal, pending.signal]),
        limits: given ?? {},
        onOutput: (text) => run.progress({ message: text }),
      });
      const waiting = pending.result(ended);
      if (waiting !== undefined) return waiting;
      const names = [...toolStubs.matchAll(/^async function (\w+)/gm)].map(([, name = ""]) => name);
      const outcome = {
        ...ended,
        error: ended.error && withHint(ended.error, code, names),
        value: await images.extractFrom(ended.value),
        calls: ended.calls.filter(({ name }) => findHostFunction(functions, name) === undefined),
      };
      if (imageFiles) await images.addFiles(outcome.files, runtime);
      const text = outcomeText(outcome, {
        maxChars: limits.textChars,
        answers: outcome.error && shapes.explain(outcome.error),
        keep: () => outputs.store(outcome, toolStubs),
      });
      return toResult(outcome, text, images.parts);
    },
  });
}

/** The tool `execute_code`. */
export type CodeTool = ReturnType<typeof createCodeTool>;

/**
 * Adds `execute_code` to a registry whose tools programs can then call. Register the other tools first: its description
 * declares those that are there. The tool itself is for models alone. Returns the registry, typed with the new tool.
 *
 * @throws {DuplicateToolError} When the registry has a tool of that name.
 *
 * @example
 * ```ts
 * const runtime = new DenoRuntime();
 * const registry = registerCodeTool(createToolRegistry(), { runtime });
 * const result = await registry.dispatch("execute_code", { code: "return 1 + 2" });
 * await runtime.close();
 * ```
 */
export function registerCodeTool<Tools extends ToolRecord, Context>(
  registry: ToolRegistry<Tools, Context>,
  options: Omit<CodeToolOptions, "registry"> = {},
): ToolRegistry<Tools & { readonly [NAME]: CodeTool }, Context> {
  return registry.register(createCodeTool({ ...options, registry }), { callers: ["model"] });
}

function toResult(outcome: CodeOutcome, text: string, images: readonly ImagePart[]) {
  const { error, value, output: printed, durationMs, files } = outcome;
  const calls = outcome.calls.map(({ name, status, durationMs: ms }) => ({ name, status, duration_ms: ms }));
  if (error === undefined)
    return success(text, {
      data: {
        ...(value !== undefined && { value }),
        output: printed,
        calls,
        ...(files && { files: [...files] }),
        duration_ms: durationMs,
      },
      ...(images.length > 0 && { content: [{ type: "text", text }, ...images] }),
    });
  const { kind, line, column, reason } = error;
  return failure(text, {
    code: kind === "aborted" ? "cancelled" : `code_${kind}`,
    metadata: {
      kind,
      line,
      column,
      calls,
      ...(files && { files }),
      duration_ms: durationMs,
      ...(reason !== undefined && { reason }),
    },
  });
}

/** Removes a Markdown fence around the whole program. Lines keep their numbers. */
function withoutFence(code: string): string {
  const fenced = /^\s*```[a-z]*[ \t]*\r?\n([\s\S]*?)\r?\n?```\s*$/i.exec(code);
  const inner = fenced?.[1];
  if (fenced === null || inner === undefined || inner.includes("```")) return code;
  return "\n".repeat(code.slice(0, code.indexOf("```")).split("\n").length) + inner;
}
