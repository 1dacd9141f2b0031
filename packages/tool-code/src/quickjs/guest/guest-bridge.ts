import type { HostMessage } from "../../bridge/host-message.ts";
import type { callPromise } from "../../program/call-promise.ts";
import type { cutJson } from "../../program/cut-json.ts";
import type { moduleValue } from "../../program/module-value.ts";
import type { ProgramReading } from "../../program/program-readings.ts";
import type { thrownReport } from "../../program/thrown-report.ts";
import type { toolNamespaces } from "../../program/tool-namespaces.ts";
import type { valueJson } from "../../program/value-json.ts";
import type { GuestHost, GuestLimits } from "./guest-host.ts";

interface Pending {
  readonly tool: string;
  resolve(value: unknown): void;
  reject(error: Error): void;
  readonly error: Error;
}

type Reading = Pick<ProgramReading, "isBody" | "callsValue" | "returns" | "isReturned">;

/** The functions that the host calls inside the sandbox. */
export interface GuestBridge {
  /** Sets the limits of the program, and declares names that it assigns without declaring them, as a script may. */
  begin(limits: GuestLimits, assigned: readonly string[]): void;
  /** Runs a module that is being loaded: its value is that of the program. */
  run(loading: Promise<object>, reading: Reading): void;
  /** Takes a message of the host. */
  receive(json: string): void;
  /** Everything that was ready has run, and rejections that nothing handles were reported. */
  turn(): void;
  /** Ends the program by an error. */
  fail(error: unknown): void;
  /** Nothing handles an error: it ends the program, or is printed if the program returned a value just now. */
  unhandled(error: unknown): void;
  /** Ends the program because nothing of it is under way, or has been for too long after its end. */
  idle(): void;
}

/**
 * Runs inside QuickJS, sent there as source: it uses nothing from outside itself but its parameters, and takes
 * everything it needs before the program starts. A program that attacks it gains nothing, because the host decides
 * every call.
 */
export function guestBridge(
  host: GuestHost,
  writeValues: typeof valueJson,
  valueOf: ReturnType<typeof moduleValue>,
  nameTools: typeof toolNamespaces,
  watched: ReturnType<typeof callPromise>,
  cut: ReturnType<typeof cutJson>,
  describeThrown: typeof thrownReport,
  inspect: (value: unknown) => string,
  modules: Readonly<Record<string, object>>,
): GuestBridge {
  const { Promise, Error, WeakSet, RangeError, TextEncoder, setImmediate } = globalThis;
  const { apply, defineProperty } = Reflect;
  const { parse, stringify } = JSON;
  const { min } = Math;
  const { keys, hasOwn } = Object;
  const functionText = Function.prototype.toString;
  const { startsWith } = String.prototype;
  const { add: addTo, has: isIn } = WeakSet.prototype;
  const { encode } = TextEncoder.prototype;
  const encoder = new TextEncoder();
  const byteLengthOf = Reflect.getOwnPropertyDescriptor(
    Reflect.getPrototypeOf(Uint8Array.prototype) as object,
    "byteLength",
  )?.get as () => number;

  const NO_MODULES = "it is not here, allowed are path, buffer, util, events, assert and timers/promises";
  /** Of a returned value that is sent as text. */
  const MOST_VALUES = 1_000_000;
  const values = writeValues(inspect);
  const describe = describeThrown(inspect);
  const toolErrors = new WeakSet();
  const pending = { __proto__: null } as unknown as Record<number, Pending | undefined>;
  /** Calls that are not sent yet: as many as the host takes at a time are. */
  const waiting = { __proto__: null } as unknown as Record<number, string>;
  /** The CommonJS exports of a program. */
  const exported = {};
  const script = { exports: exported as unknown };
  let limits = {} as GuestLimits;
  let firstWaiting = 0;
  let nextWaiting = 0;
  let sent = 0;
  let calls = 0;
  let finished = false;
  let isToEnd = false;
  /** How the program ends when nothing of it is under way any more. */
  let ending: { readonly body: string; readonly isReturned: boolean } | undefined;

  /** Whether a text has more bytes than allowed. A character has at most three for each of its units. */
  function isLonger(text: string, bytes: number): boolean {
    if (text.length * 3 <= bytes) return false;
    return text.length > bytes || apply(byteLengthOf, apply(encode, encoder, [text]), []) > bytes;
  }

  function done(body: string): void {
    if (finished) return;
    finished = true;
    host("done", `{"t":"done"${body}}`);
  }

  async function succeed(value: unknown, isAsked: boolean, isReturned: boolean): Promise<void> {
    const { frameBytes, frameValues, outputBytes, textChars } = limits;
    // Once, because it may be read only once.
    const mostValues = isAsked ? MOST_VALUES : frameValues;
    const found = await values.settled(value, { values: mostValues, chars: isAsked ? frameBytes : outputBytes });
    let body = "";
    if ("exceeds" in found) {
      const most = found.exceeds === "values" ? `${MOST_VALUES} values` : `${frameBytes} bytes`;
      if (isAsked) return done(`,"error":{"message":"the program returned more than ${most}","output":true}`);
    } else if (found.json === undefined) body = "";
    else if (found.count <= frameValues && !isLonger(found.json, outputBytes)) body = `,"value":${found.json}`;
    else if (isAsked) {
      const text = stringify(found.json);
      const whole = isLonger(text, frameBytes / 2) ? "" : `,"json":${text}`;
      // Room for what stands around it. A character has at most three bytes, a value at least two characters.
      const maxChars = min(textChars * 0.9, outputBytes / 3, frameValues * 1.8);
      body = `,"value":${cut(found.json, maxChars)},"cut":{"chars":${found.json.length}${whole}}`;
    }
    // Calls are waited for, and without a value that was returned timers too: a program may print later.
    ending = { body, isReturned: isReturned && body !== "" };
    // What is rejected and not handled is noticed at the end of a turn.
    isToEnd = true;
  }

  function endIfDone(): boolean {
    const isDone = ending?.isReturned === true && sent === 0;
    if (isDone) done(ending?.body ?? "");
    return isDone;
  }

  function fail(error: unknown): void {
    // The engine throws null where it has no memory left to make an error of.
    const isFull = error === null && host("full") !== undefined;
    const { name, message, stack } = isFull
      ? { name: "InternalError", message: "out of memory", stack: "" }
      : describe(error);
    const tool = typeof error === "object" && error !== null && apply(isIn, toolErrors, [error]);
    const report = stringify({
      __proto__: null,
      name,
      message,
      stack,
      tool,
    });
    done(`,"error":${report}`);
  }

  function callTool(name: unknown, params: unknown): Promise<unknown> {
    // Made here, where the stack still holds the line that called the tool.
    const error = new Error("");
    const tool = `${name}`;
    const promise = new Promise<unknown>((resolve, reject) => {
      const found = values.now(params, { values: limits.frameValues, chars: limits.frameBytes });
      const json = "exceeds" in found ? "" : (found.json ?? "null");
      if ("exceeds" in found && found.exceeds === "values")
        throw new RangeError(`Calling ${tool}: its parameters hold more than ${limits.frameValues} values`);
      if ("exceeds" in found || isLonger(json, limits.frameBytes))
        throw new RangeError(`Calling ${tool}: its parameters are longer than ${limits.frameBytes} bytes`);
      calls += 1;
      pending[calls] = { tool, resolve, reject, error };
      const call = `{"t":"call","id":${calls},"name":${stringify(tool)},"params":${json}}`;
      // The host ends a program with too many calls as soon as it receives the excess call.
      if (sent < limits.maxConcurrency || calls > limits.calls) {
        sent += 1;
        host("call", call);
      } else waiting[nextWaiting++] = call;
    });
    return watched(tool, promise);
  }

  /** A descriptor that inherits nothing. */
  function ownValue(value: string | undefined): PropertyDescriptor {
    return { __proto__: null, value, writable: true, configurable: true } as PropertyDescriptor;
  }

  function receive(json: string): void {
    const message = parse(json) as Exclude<HostMessage, { readonly t: "run" | "warm" }>;
    const call = pending[message.id];
    if (call === undefined) return;
    delete pending[message.id];
    sent -= 1;
    const next = waiting[firstWaiting];
    if (next !== undefined) {
      delete waiting[firstWaiting++];
      sent += 1;
      host("call", next);
    }
    // Code woken by the answer may call again.
    if (ending !== undefined && sent === 0) setImmediate(endIfDone);
    if (message.t === "result") return call.resolve(message.value);
    defineProperty(call.error, "name", ownValue("ToolError"));
    defineProperty(call.error, "message", ownValue(message.message));
    defineProperty(call.error, "tool", ownValue(call.tool));
    defineProperty(call.error, "code", ownValue(message.code));
    apply(addTo, toolErrors, [call.error]);
    call.reject(call.error);
  }

  function isRunnable(value: unknown): value is () => unknown {
    return typeof value === "function" && !apply(startsWith, apply(functionText, value, []), ["class"]);
  }

  async function run(loading: Promise<object>, { isBody, callsValue, returns, isReturned }: Reading): Promise<void> {
    let value;
    try {
      value = valueOf((await loading) as Readonly<Record<string, unknown>>);
      if (isBody) value = await (value as () => unknown)();
      if (isRunnable(value) && (callsValue || value.length === 0)) value = await value();
      if (value === undefined && (script.exports !== exported || keys(exported).length > 0)) value = script.exports;
    } catch (error) {
      return fail(error);
    }
    try {
      await succeed(value, returns, isReturned);
    } catch (error) {
      fail(error);
    }
  }

  defineProperty(globalThis, "__callTool__", {
    value: callTool,
    writable: false,
    configurable: false,
    enumerable: false,
  });
  return {
    begin(given, assigned) {
      limits = given;
      const define = (name: string, value: unknown): void =>
        void defineProperty(globalThis, name, { value, writable: true, configurable: true });
      const require = (name: unknown): object => {
        const plain = `${name as string}`.replace(/^node:/, "");
        const found = hasOwn(modules, plain) ? modules[plain] : undefined;
        if (found !== undefined) return found;
        throw new Error(`Importing ${stringify(`${name as string}`)}: ${NO_MODULES}`);
      };
      define("require", Object.assign(require, { main: script }));
      define("module", script);
      define("exports", exported);
      nameTools(callTool);
      for (const name of assigned) if (!(name in globalThis)) define(name, undefined);
    },
    run: (loading, reading) => void run(loading, reading),
    receive,
    fail,
    unhandled(error) {
      if (!isToEnd || ending?.isReturned !== true) return fail(error);
      const { name, message } = describe(error);
      host("print", `Unhandled error: ${name}: ${message}\n`);
    },
    turn() {
      if (!isToEnd) return;
      isToEnd = false;
      if (!endIfDone()) host("linger", limits.lingerMs);
    },
    idle: () => done(ending?.body ?? ',"error":{"unsettled":true}'),
  };
}
