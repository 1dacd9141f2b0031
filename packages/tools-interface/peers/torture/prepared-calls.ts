import { NotOfferedError, type PreparedTool, type TortureCallOptions, type TortureOutcome } from "@dispatch/check";

/** A call as a provider hands it on. */
export interface WireCall {
  /** Identifies the call. */
  readonly id: string;
  /** The tool that is asked for. */
  readonly name: string;
  /** The parameters, a value or text. */
  readonly sent: unknown;
}

/** Makes a call on a system and returns the result that a model receives. */
export type Invoke = (call: WireCall, options: TortureCallOptions) => Promise<TortureOutcome>;

/** How systems say that their checks of parameters must be synchronous. */
const ONLY_SYNCHRONOUS = /during synchronous parse|schema is async/;

/** A prepared tool that puts every call to `invoke`. Whole calls only where they have a name, as providers' types do. */
export function preparedCalls(name: string, invoke: Invoke): Required<PreparedTool> {
  let calls = 0;
  const newId = (): string => `call_${(calls += 1)}`;
  const checked: Invoke = async (call, options) => {
    const outcome = await invoke(call, options);
    if (ONLY_SYNCHRONOUS.test(outcome.text)) throw new NotOfferedError("checks of parameters answer at once");
    return outcome;
  };
  return {
    call: async (sent, options = {}) => checked({ id: options.id ?? newId(), name, sent }, options),
    callRaw: async (call, options = {}) => {
      const { id, name: asked, sent } = readCall(call);
      return checked({ id: id ?? newId(), name: asked, sent }, options);
    },
  };
}

function readCall(call: unknown): { readonly id: string | undefined; readonly name: string; readonly sent: unknown } {
  try {
    const { id, name, arguments: sent = {} } = call as Record<string, unknown>;
    if (typeof name === "string") return { id: typeof id === "string" ? id : undefined, name, sent };
  } catch {
    // Reported below: an unreadable call does not run.
  }
  throw new NotOfferedError("a provider's type has no such call");
}
