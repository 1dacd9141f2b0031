import { failure, type ToolFailure } from "../result/tool-result.ts";

/** Options of a host that have been read once and checked. */
export interface CheckedHostOptions {
  /** Describes invalid options, which are left out. */
  readonly invalid?: string | undefined;
}

/** The key of a mark, which is the key itself, on options that are checked already: these are not copied for every call. */
export const CHECKED: unique symbol = Symbol("checked");

/** Whether options are marked as checked. Not `instanceof`: a base class makes a whole valid call 8 % slower. */
export function isChecked<Options extends object>(options: Options): options is Options & CheckedHostOptions {
  return (options as { readonly [CHECKED]?: unknown } | null)?.[CHECKED] === CHECKED;
}

interface Rule {
  readonly allows: (value: never) => boolean;
  readonly allowed: string;
}

const aFunction: Rule = { allows: (value: unknown) => typeof value === "function", allowed: "a function" };
const aDuration: Rule = {
  // `Infinity` is a time too: it never lapses.
  allows: (value: unknown) => typeof value === "number" && value > 0,
  allowed: "a number of milliseconds above 0",
};
const aString: Rule = { allows: (value: unknown) => typeof value === "string", allowed: "a string" };
const anything: Rule = { allows: () => true, allowed: "anything" };

/** Every option of a call or a dispatch, with its allowed values. */
const RULES = {
  context: anything,
  replay: anything,
  maxConcurrency: anything,
  repairs: anything,
  parents: anything,
  asParent: anything,
  caller: anything,
  turn: anything,
  kept: anything,
  durable: { allows: isKeeper, allowed: "an object with a function keep" },
  signal: { allows: isAbortSignal, allowed: "an AbortSignal" },
  transcript: { allows: isTranscript, allowed: "an object with a function append" },
  middleware: { allows: isFunctions, allowed: "an array of functions" },
  maxOutputChars: {
    allows: (value: unknown) => typeof value === "number" && value >= 1,
    allowed: "a number of 1 or more",
  },
  approvalTimeoutMs: aDuration,
  recordTimeoutMs: aDuration,
  approve: aFunction,
  policy: aFunction,
  keepOutput: aFunction,
  dispatch: aFunction,
  onEvent: aFunction,
  onProgress: aFunction,
  onLateResult: aFunction,
  callId: aString,
  parentCallId: aString,
} satisfies Record<string, Rule>;

type Callback = (...given: never[]) => unknown;
const rules = new Map(Object.entries(RULES as Record<string, Rule>));

/**
 * Reads each option once and checks it. A host's mistake must not end the process or reach another call, so an invalid
 * option is left out and named in `invalid`. `null` counts as absent. Never throws.
 */
export function readHostOptions<Options extends object>(options: Options): Options & CheckedHostOptions {
  if ((options as unknown) === null) return {} as Options;
  if (typeof options !== "object") {
    return { invalid: `options of type ${typeof options}, allowed is an object` } as Options & CheckedHostOptions;
  }
  const read: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const name of namesIn(options)) {
    const rule = rules.get(name);
    if (rule === undefined) continue;
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
function namesIn(options: object): Iterable<string> {
  try {
    return Object.getPrototypeOf(options) === Object.prototype ? Object.getOwnPropertyNames(options) : rules.keys();
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
export function isAbortSignal(value: unknown): value is AbortSignal {
  if (typeof value !== "object" || value === null) return false;
  const { aborted, addEventListener, removeEventListener } = value as Record<keyof AbortSignal, unknown>;
  return (
    typeof aborted === "boolean" && typeof addEventListener === "function" && typeof removeEventListener === "function"
  );
}

function isTranscript({ append, find }: { readonly append?: unknown; readonly find?: unknown }): boolean {
  return typeof append === "function" && (find === undefined || typeof find === "function");
}

function isKeeper({ keep }: { readonly keep?: unknown }): boolean {
  return typeof keep === "function";
}

function isFunctions(value: unknown): boolean {
  return Array.isArray(value) && Array.from(value as unknown[]).every((layer) => typeof layer === "function");
}
