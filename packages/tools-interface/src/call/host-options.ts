import { describeUnknown, isPlain, unknownName } from "../error/check-options.ts";
import type { DispatchAllOptions } from "../registry/registry-options.ts";
import { failure, type ToolFailure } from "../result/tool-result.ts";
import type { CallOptions, HostOptions, NestedOptions } from "./tool.ts";

/** Options of a host that have been read once and checked. */
export interface CheckedHostOptions {
  /** Describes invalid options, which are left out. */
  readonly invalid?: string | undefined;
}

/** The mark of options that are checked already, as `~checked`: these are not copied for every call. */
export const CHECKED: unique symbol = Symbol("checked");

/** Whether options are marked as checked. */
export function isChecked<Options extends object>(options: Options): options is Options & CheckedHostOptions {
  return (options as { readonly "~checked"?: unknown } | null)?.["~checked"] === CHECKED;
}

interface OptionRule {
  readonly allows: (value: never) => boolean;
  readonly allowed: string;
}

const aFunction: OptionRule = { allows: (value: unknown) => typeof value === "function", allowed: "a function" };
const aDuration: OptionRule = {
  // `Infinity` is a time too: it never lapses.
  allows: (value: unknown) => typeof value === "number" && value > 0,
  allowed: "a number of milliseconds above 0",
};
const aString: OptionRule = { allows: (value: unknown) => typeof value === "string", allowed: "a string" };
const aCount: OptionRule = {
  allows: (value: unknown) => typeof value === "number" && value >= 1,
  allowed: "a number of 1 or more",
};
const anything: OptionRule = { allows: () => true, allowed: "anything" };

/** The options that calls and dispatches share, with their allowed values. */
const SHARED = {
  context: anything,
  signal: { allows: isAbortSignal, allowed: "an AbortSignal" },
  approve: aFunction,
  approvalTimeoutMs: aDuration,
  maxOutputChars: aCount,
} satisfies Record<keyof HostOptions, OptionRule>;

const OF_CALLS: Readonly<Record<keyof CallOptions, OptionRule>> = {
  ...SHARED,
  repairs: anything,
  parents: anything,
  caller: anything,
  turn: anything,
  durableCall: anything,
  middleware: {
    allows: (value: unknown) =>
      Array.isArray(value) && Array.from(value as unknown[]).every((layer) => typeof layer === "function"),
    allowed: "an array of functions",
  },
  maxRunningCalls: aCount,
  policy: aFunction,
  keepOutput: aFunction,
  dispatch: aFunction,
  onProgress: aFunction,
  onLateResult: aFunction,
  callId: aString,
};

/** The options of `dispatch` and `dispatchAll`, with their allowed values. */
export const DISPATCH_OPTIONS: Readonly<Record<keyof DispatchAllOptions, OptionRule>> = {
  ...SHARED,
  replay: anything,
  maxConcurrency: anything,
  durable: {
    allows: ({ keep }: { readonly keep?: unknown }) => typeof keep === "function",
    allowed: "an object with a function keep",
  },
  transcript: {
    allows: ({ append, find }: { readonly append?: unknown; readonly find?: unknown }) =>
      typeof append === "function" && (find === undefined || typeof find === "function"),
    allowed: "an object with a function append",
  },
  recordTimeoutMs: aDuration,
  onEvent: aFunction,
};

/** The options of `run.dispatch`. */
const OF_NESTED: Readonly<Record<keyof NestedOptions, OptionRule>> = {
  signal: SHARED.signal,
  caller: { allows: (value: unknown) => value === "tool" || value === "program", allowed: '"tool" or "program"' },
  registry: anything,
  admit: aFunction,
};

type Callback = (...given: never[]) => unknown;
const rulesByKind = {
  call: new Map(Object.entries(OF_CALLS)),
  dispatch: new Map(Object.entries(DISPATCH_OPTIONS)),
  nested: new Map(Object.entries(OF_NESTED)),
};

/**
 * Reads each option once and checks it. A host's mistake must not end the process or reach another call, so an invalid
 * option is left out and named in `invalid`, and so is one that there is not. `null` counts as absent. Never throws.
 */
export function readHostOptions<Options extends object>(
  options: Options,
  kind: keyof typeof rulesByKind,
): Options & CheckedHostOptions {
  if ((options as unknown) === null) return {} as Options;
  if (typeof options !== "object") {
    return { invalid: `options of type ${typeof options}, allowed is an object` } as Options & CheckedHostOptions;
  }
  const rules: ReadonlyMap<string, OptionRule> = rulesByKind[kind];
  const read: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const name of namesIn(options, rules)) {
    // The mark of another copy of this package.
    if (name === "~checked") continue;
    const rule = rules.get(name);
    if (rule === undefined) {
      faults.push(`an option that there is not: ${describeUnknown(name, [...rules.keys()])}`);
      continue;
    }
    const { allows, allowed } = rule;
    try {
      const value = (options as Record<string, unknown>)[name];
      if (value === undefined || value === null) continue;
      if (allows(value as never))
        read[name] = allowed === aFunction.allowed ? (value as Callback).bind(options) : value;
      else faults.push(`an unusable ${name}, allowed is ${allowed}`);
    } catch {
      faults.push(`${name} that cannot be read, allowed is ${allowed}`);
    }
  }
  if (faults.length > 0) read["invalid"] = faults.join("; ");
  return read as Options & CheckedHostOptions;
}

/**
 * The names to read: those that an object without a class has, which are few, and all where a class may compute them.
 * Reading all of them takes 0.3 µs.
 */
function namesIn(options: object, rules: ReadonlyMap<string, OptionRule>): Iterable<string> {
  try {
    if (isPlain(options)) return Object.getOwnPropertyNames(options);
    const misspelt = unknownName(options, Object.fromEntries(rules));
    return misspelt === undefined ? rules.keys() : [...rules.keys(), misspelt];
  } catch {
    // A proxy that can list no names may have values.
    return rules.keys();
  }
}

/** The failure of a call whose options are wrong. */
export function invalidOptionsResult(name: string, invalid: string): ToolFailure {
  return failure(`Cannot call ${name}: the host gave ${invalid}. This is a fault of the host, not of the call`, {
    code: "invalid_options",
    stopped: true,
    effects: "none",
  });
}

/** True for an `AbortSignal` of any realm or polyfill. A proxy of one is none: reading it throws. */
function isAbortSignal(value: unknown): value is AbortSignal {
  if (typeof value !== "object" || value === null) return false;
  const { aborted, addEventListener, removeEventListener } = value as Record<keyof AbortSignal, unknown>;
  return (
    typeof aborted === "boolean" && typeof addEventListener === "function" && typeof removeEventListener === "function"
  );
}
