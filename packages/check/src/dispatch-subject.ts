import {
  type ToolCall,
  type AnyTool,
  type Approver,
  defineTool,
  createToolRegistry,
  type DispatchOptions,
  type AnyToolRegistry,
  type ToolResult,
  type Transcript,
} from "@dispatch/tools-interface";
import { checkOptions } from "@dispatch/tools-interface/internal";
import type { TortureCallOptions, TortureOutcome, TortureSubject, TortureTool } from "./torture-subject.ts";

/** Options of {@link dispatchSubject}. */
export interface DispatchSubjectOptions {
  /** The subject's name in errors. Default `@dispatch/tools-interface`. */
  readonly name?: string;
  /** Builds the registry that a case's tool is called through. Default one with this tool alone. */
  readonly createRegistry?: (tool: AnyTool) => AnyToolRegistry;
  /** Dispatch options of every call, beside the options of a case. */
  readonly dispatchOptions?: DispatchOptions;
}

/**
 * A registry of this package as torture cases see it: your own registry, with your middleware around it.
 *
 * @example
 * ```ts
 * const subject = dispatchSubject({
 *   createRegistry: (tool) => createToolRegistry({ middleware: [audit] }).register(tool),
 * });
 * for (const { run } of tortureCases) await run(subject);
 * ```
 */
export function dispatchSubject(options: DispatchSubjectOptions = {}): TortureSubject {
  checkOptions("create a subject", options, { name: true, createRegistry: true, dispatchOptions: true });
  const { name = "@dispatch/tools-interface", createRegistry = registryOf, dispatchOptions = {} } = options;
  return {
    name,
    prepare(tool) {
      const registry = createRegistry(toTool(tool));
      return {
        async call(sent, { id, ...given } = {}) {
          const call = { id, name: tool.name, arguments: sent };
          return toOutcome(await registry.dispatch(call, { ...dispatchOptions, ...toOptions(given) }));
        },
        async callRaw(call, given = {}) {
          // A text alone would be a tool's name for `dispatch`.
          const results = await registry.dispatchAll([call as ToolCall], { ...dispatchOptions, ...toOptions(given) });
          return toOutcome(results[0]);
        },
      };
    },
  };
}

function registryOf(tool: AnyTool): AnyToolRegistry {
  return createToolRegistry().register(tool);
}

function toTool(tool: TortureTool): AnyTool {
  const { name, description, parameters, output, timeoutMs, needsApproval } = tool;
  return defineTool({
    name,
    description,
    parameters,
    execute: (params, run) => tool.execute(params, run),
    ...(output !== undefined && { output }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(needsApproval !== undefined && { needsApproval }),
  }) as AnyTool;
}

/** Only present options: `undefined` must not hide the dispatch options of every call. */
function toOptions({ signal, record, observe, approve }: Omit<TortureCallOptions, "id">): DispatchOptions {
  return {
    ...(signal && { signal }),
    ...(record && { transcript: { append: record as Transcript["append"] } }),
    ...(observe && { onEvent: observe }),
    ...(approve && { approve: approve as Approver }),
  };
}

function toOutcome(result: ToolResult | undefined): TortureOutcome {
  return { failed: result?.success !== true, text: String(result) };
}
