import {
  failure,
  ToolError,
  type AnyToolRegistry,
  type ToolCall,
  type ToolResult,
  type ToolRun,
} from "@dispatch/tools-interface";
import { joinSignals, keptBytes } from "@dispatch/tools-interface/internal";
import type { CallTool } from "./code-runtime.ts";

/**
 * Dispatches a program's tool calls on the host like calls of the model: validated, approved, and recorded under this
 * call. The program receives the data of a success, or its text if it has no data. A failure is thrown in the program,
 * with its code. The id of each call is its place in the program: when the call that runs the program is dispatched
 * again with the same id and transcript, earlier calls are answered from there.
 *
 * @param run The call of `execute_code` that runs the program.
 * @param registry Holds the tools that the program can call. Default: the registry that the call came through, which is
 * also used if `registry` holds an excluded tool.
 * @param excluded Tools that a program cannot call, including the one that runs it.
 */
export function toolBridge(run: ToolRun, registry: AnyToolRegistry | undefined, excluded: readonly string[]): CallTool {
  // A registry that runs programs itself may be called through a part of it, which then holds all that they can call.
  const apart = excluded.some((name) => registry?.has(name)) ? undefined : registry;
  // Read once: what it keeps between calls belongs to the function.
  const nested = run.dispatch;
  const dispatch = (call: ToolCall, signal: AbortSignal, keep: Keep | undefined): Promise<ToolResult> => {
    // It ends these calls with the call that runs the program.
    if (nested !== undefined) {
      const admit = keep && ((result: ToolResult) => admitted(call.name, result, keep));
      return nested(call, { signal, caller: "program", registry: apart, admit });
    }
    if (registry !== undefined)
      return registry.dispatch(
        { ...call, caller: "program" },
        { context: run.context, signal: joinSignals(signal, run.signal) },
      );
    throw new ToolError(
      `Calling ${call.name} from the program: there is no registry to find it in. Do without tools in this program`,
      { code: "tool_not_found" },
    );
  };
  let calls = 0;
  return async (name, params, { signal, keep }) => {
    if (excluded.includes(name)) {
      throw new ToolError(
        `Calling ${name} from the program: a program cannot start another one. Do the work in this one`,
        { code: "denied" },
      );
    }
    const fault = formFault(params);
    if (fault !== undefined) {
      throw new ToolError(
        `Calling ${name}: found ${fault}, allowed is one object with named fields: ${formOf(name, registry)}`,
        {
          code: "invalid_params",
        },
      );
    }
    // The same in every run of this call, so that the transcript's answers of an earlier run apply.
    const id = `${run.callId}/${(calls += 1)}`;
    const result = await dispatch({ id, name, arguments: params }, signal, keep);
    if (!result.success) throw new ToolError(result.error, { code: result.code });
    if (result.data !== undefined) return result.data;
    return result.content?.some(({ type }) => type === "image") ? result.content : result.output;
  };
}

/** Fields that a form names. */
const MAX_FIELDS = 6;

/** How a tool is called. */
function formOf(name: string, registry: AnyToolRegistry | undefined): string {
  const { properties = {} } = registry?.has(name) === true ? registry.get(name).parameters : {};
  const fields = Object.keys(properties as object);
  return `${name}({ ${[...fields.slice(0, MAX_FIELDS), ...(fields.length > MAX_FIELDS || fields.length === 0 ? ["…"] : [])].join(", ")} })`;
}

/** Longer parameters as JSON text are not read: there may be any number of values in them. */
const MAX_TEXT_CHARS = 8_192;

/** What is passed in place of an object. JSON text of one is read by the registry. */
function formFault(params: unknown): string | undefined {
  if (params === null || params === undefined) return undefined;
  if (typeof params === "string")
    return params.length <= MAX_TEXT_CHARS && /^\s*\{/.test(params) ? undefined : "a text as the parameter";
  if (typeof params !== "object") return `a ${typeof params} as the parameter`;
  return Array.isArray(params) ? "a list as the parameter" : undefined;
}

type Keep = NonNullable<Parameters<CallTool>[2]["keep"]>;

/** The result, or what is recorded of one that is over `hostMb`. */
function admitted(name: string, result: ToolResult, keep: Keep): ToolResult {
  const { repairs, ignored } = result;
  const own = result.success ? [result.output, result.data, result.content] : [result.error, result.issues];
  if (keep(keptBytes([...own, repairs, ignored], Infinity))) return result;
  return failure(
    `${name} has ended, but its result is too large to be kept beside those of the program's other calls`,
    {
      code: "result_too_large",
      effects: result.success ? "possible" : result.effects,
    },
  );
}
