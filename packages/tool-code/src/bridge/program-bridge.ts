import { cutJson } from "../program/cut-json.ts";
import type { ProgramReading } from "../program/program-readings.ts";
import { valueJson, type ValueWriter } from "../program/value-json.ts";
import type { BridgeLimits, CallAnswer } from "./host-message.ts";

/** What the bridge needs of the sandbox that it runs in. */
export interface BridgeSandbox {
  /** Sends the message that ends the program, at once. */
  end(json: string): void;
  /** Sends a call; those of one turn may be sent together. */
  post(json: string): void;
  /** How many bytes of UTF-8 a text has. */
  byteLength(text: string): number;
  /** Describes a value in a few words. */
  inspect(value: unknown): string;
  print(line: string): void;
  /** Calls back once all that is ready has run and rejections that nothing handled were reported. */
  afterTurn(proceed: () => void): void;
  /** Ends the program after so many milliseconds, even if work is in progress then. */
  linger(end: () => void, delayMs: number): void;
  /** Whether the program once used all of its memory: where none is left the engine throws null. Default never. */
  isFull?(): boolean;
}

/** The program's end of the conversation with the host. */
export interface ProgramBridge {
  readonly values: ValueWriter;
  /** The program as a module of CommonJS. */
  readonly script: object;
  /**
   * Sets the limits of the program, and declares `module` and `exports`, the names that tools have in other systems, and
   * those that the program assigns without declaring them, as a script may.
   */
  begin(limits: BridgeLimits, assigned: readonly string[]): void;
  /** Runs a loaded module: its value is that of the program. */
  run(
    module: Readonly<Record<string, unknown>>,
    reading: Pick<ProgramReading, "isBody" | "callsValue" | "returns" | "isReturned">,
  ): Promise<void>;
  answer(message: CallAnswer): void;
  /** Ends the program by an error, or by text that is not TypeScript. */
  fail(error: unknown, syntax?: { readonly url: string; readonly prefix: string }): void;
  /** Nothing handles an error: it ends the program, or is printed if the program returned a value just now. */
  unhandled(error: unknown): void;
  /** Ends the program because nothing of it is under way. */
  idle(): void;
  /** Ends the program as a process ends itself. */
  exit(code: number): void;
  /** How many calls are sent and not answered. */
  unanswered(): number;
  /** Whether the program has its value and only waits for calls and the like. */
  isEnding(): boolean;
}

/**
 * The source of a function from a {@link BridgeSandbox} to a {@link ProgramBridge}: JavaScript that needs nothing from
 * outside itself, the same for every sandbox.
 */
export function bridgeSource(): string {
  return `((sandbox) => (${programBridge.toString()})(sandbox, ${valueJson.toString()}, (${cutJson.toString()})()))`;
}

/**
 * Makes the bridge. It runs beside the program, sent there as source: it uses nothing from outside itself but its
 * parameters, and takes everything it needs before the program starts. This protects the conversation with the host from
 * accidents in the program's own data. A program that attacks it gains nothing, because the host decides every call.
 */
function programBridge(
  { end, post, byteLength, inspect, print, afterTurn, linger, isFull }: BridgeSandbox,
  writeValues: typeof valueJson,
  cut: ReturnType<typeof cutJson>,
): ProgramBridge {
  const { Promise, Proxy, Error, WeakSet, Function, RangeError, TypeError, setImmediate } = globalThis;
  const { apply, defineProperty, get } = Reflect;
  const { create, keys, setPrototypeOf } = Object;
  const { isArray } = Array;
  const { stringify } = JSON;
  const { min } = Math;
  const { toPrimitive, iterator } = Symbol;
  const functionText = Function.prototype.toString;
  const { slice, startsWith } = String.prototype;
  const { add: addTo, has: isIn } = WeakSet.prototype;

  /** Of a returned value that is sent as text. */
  const MOST_VALUES = 1_000_000;
  /** Of the report on an error. */
  const MAX_CHARS = 8_000;
  const MAX_INNER = 5;
  const MAX_CAUSES = 3;
  /** Names of the function that does the work of a module. */
  const MAIN = /^(?:main|run|execute|start|init|solve|solution|program|script|handler)$/i;
  const values = writeValues(inspect);
  const toolErrors = new WeakSet();
  const prototypes = create(null) as Record<string, object>;
  const pending = create(null) as Record<number, Pending | undefined>;
  /** Calls that are not sent yet: as many as the host takes at a time are. */
  const waiting = create(null) as Record<number, string>;
  let limits = {} as BridgeLimits;
  let firstWaiting = 0;
  let nextWaiting = 0;
  let sent = 0;
  let calls = 0;
  let finished = false;
  /** Whether the program has returned a value in this turn of the event loop. */
  let isOpen = false;
  const exported = {};
  const script = { exports: exported as unknown, id: "." };
  /** How the program ends when nothing of it is under way any more. */
  let ending: { readonly body: string; readonly isReturned: boolean } | undefined;

  // The end of the program.

  function done(body: string): void {
    if (finished) return;
    finished = true;
    end(`{"t":"done"${body}}`);
  }

  /** Whether a text has more bytes than allowed. A character has at most three for each of its units. */
  function isLonger(text: string, bytes: number): boolean {
    return text.length * 3 > bytes && (text.length > bytes || byteLength(text) > bytes);
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
      // Leaves space for the rest of the message. A character has at most three bytes, a value at least two characters.
      const maxChars = min(textChars * 0.9, outputBytes / 3, frameValues * 1.8);
      body = `,"value":${cut(found.json, maxChars)},"cut":{"chars":${found.json.length}${whole}}`;
    }
    // Calls are waited for, and without a value that was returned all else: a program may print later.
    ending = { body, isReturned: isReturned && body !== "" };
    isOpen = ending.isReturned && sent === 0;
    afterTurn(() => {
      isOpen = false;
      if (!endIfDone()) linger(() => done(body), limits.lingerMs);
    });
  }

  function endIfDone(): boolean {
    const isDone = ending?.isReturned === true && sent === 0;
    if (isDone) done(ending?.body ?? "");
    return isDone;
  }

  function fail(error: unknown, syntax?: { readonly url: string; readonly prefix: string }): void {
    const tool = typeof error === "object" && error !== null && apply(isIn, toolErrors, [error]);
    const report = { __proto__: null, ...describe(error), tool, url: syntax?.url, prefix: syntax?.prefix };
    done(`,"error":${stringify(report)}`);
  }

  /** Describes what a program threw, with the causes of an error and the errors inside of it. */
  function describe(error: unknown): { readonly name: string; readonly message: string; readonly stack: string } {
    let name = "Error";
    let message = "";
    let stack = "";
    const isError = (found: unknown): found is Error =>
      typeof found === "object" && found !== null && "message" in found;
    try {
      if (error === null && isFull?.()) {
        name = "InternalError";
        message = "out of memory";
      } else if (isError(error)) {
        const thrown = error as Error & { readonly errors?: unknown };
        name = `${thrown.name}`;
        message = `${thrown.message}`;
        stack = `${thrown.stack}`;
        const { errors } = thrown;
        if (isArray(errors)) {
          message ||= `${errors.length} errors`;
          for (let at = 0; at < errors.length && at < MAX_INNER; at += 1) {
            const inner = errors[at] as unknown;
            message += `\nInside of it: ${isError(inner) ? `${inner.name}: ${inner.message}` : inspect(inner)}`;
          }
        }
        let cause = thrown.cause as Error | undefined;
        for (let depth = 0; depth < MAX_CAUSES && typeof cause === "object" && cause !== null; depth += 1) {
          message += `\nCaused by: ${cause.name}: ${cause.message}`;
          cause = cause.cause as Error | undefined;
        }
      } else message = `the program threw ${inspect(error)}`;
    } catch {
      message ||= "the program threw something that cannot be printed";
    }
    return {
      name: apply(slice, name, [0, 200]),
      message: apply(slice, message, [0, MAX_CHARS]),
      stack: apply(slice, stack, [0, MAX_CHARS]),
    };
  }

  // Calls of tools.

  function callTool(name: unknown, params: unknown): Promise<unknown> {
    // Made here, where the stack still holds the line that called the tool.
    const error = new Error("");
    const tool = `${name}`;
    const promise = new Promise<unknown>((resolve, reject) => {
      const { frameBytes, frameValues } = limits;
      const found = values.now(params, { values: frameValues, chars: frameBytes });
      const json = ("json" in found && found.json) || "null";
      const refuse = (excess: string): never => {
        throw new RangeError(`Calling ${tool}: its parameters ${excess}`);
      };
      if ("exceeds" in found && found.exceeds === "values") refuse(`hold more than ${frameValues} values`);
      if ("exceeds" in found || isLonger(json, frameBytes)) refuse(`are longer than ${frameBytes} bytes`);
      calls += 1;
      pending[calls] = { tool, resolve, reject, error };
      const call = `{"t":"call","id":${calls},"name":${stringify(tool)},"params":${json}}`;
      // The host ends a program with too many calls as soon as it receives the excess call.
      if (sent < limits.maxConcurrency || calls > limits.calls) {
        sent += 1;
        post(call);
      } else waiting[nextWaiting++] = call;
    });
    // Functions of the host are marked on the way there.
    const shown: string = apply(startsWith, tool, ["host:"]) ? apply(slice, tool, [5]) : tool;
    return setPrototypeOf(promise, (prototypes[shown] ??= prototypeFor(shown))) as Promise<unknown>;
  }

  /** The prototype of a call's promise: it throws when the promise is read as if it were the result. */
  function prototypeFor(tool: string): object {
    // Looks like the prototype of promises to what prints one.
    const prototype = create(Promise.prototype, {
      constructor: { __proto__: null, value: Promise, writable: true, configurable: true },
    } as PropertyDescriptorMap) as object;
    return new Proxy(prototype, {
      // Inherits nothing, and neither does the descriptor: a program may have changed what objects inherit.
      __proto__: null,
      get(target: object, name: string | symbol, receiver: unknown) {
        // Printing an object and writing it as JSON read other symbols, and `toJSON`.
        const isSymbol = typeof name === "symbol";
        const isOdd = isSymbol ? name !== toPrimitive && name !== iterator : name === "toJSON";
        if (isOdd || name in target) return get(target, name, receiver);
        const read = isSymbol ? "" : `.${name}`;
        throw new TypeError(`${tool}(…)${read} was read before it was awaited: write (await ${tool}(…))${read}`);
      },
    } as ProxyHandler<object>);
  }

  /** A descriptor that inherits nothing. */
  function ownValue(value: unknown): PropertyDescriptor {
    return { __proto__: null, value, writable: true, configurable: true } as PropertyDescriptor;
  }

  function answer(message: CallAnswer): void {
    const call = pending[message.id];
    if (call === undefined) return;
    delete pending[message.id];
    sent -= 1;
    const next = waiting[firstWaiting];
    if (next !== undefined) {
      delete waiting[firstWaiting++];
      sent += 1;
      post(next);
    }
    // Code woken by the answer may call again.
    if (ending !== undefined && sent === 0) setImmediate(endIfDone);
    if (message.t === "result") return call.resolve(message.value);
    const { error, tool, reject } = call;
    const set = (name: string, value: unknown): unknown => defineProperty(error, name, ownValue(value));
    set("name", "ToolError");
    set("message", message.message);
    set("tool", tool);
    set("code", message.code);
    apply(addTo, toolErrors, [error]);
    reject(error);
  }

  /**
   * The names under which programs written for other systems find the tools: `tools.NAME(…)`, `codemode.NAME(…)` and
   * `callTool("NAME", …)`.
   */
  function toolNames(): Readonly<Record<string, unknown>> {
    const own: Record<string, unknown> = {};
    const tools = new Proxy(own, {
      get(_, name) {
        // Awaiting, printing or comparing an object reads these properties.
        if (typeof name !== "string" || name === "then" || name === "toJSON") return undefined;
        return (own[name] ??= (params: unknown = {}) => callTool(name, params));
      },
    });
    return { tools, codemode: tools, callTool: (name: string, params: unknown = {}) => callTool(name, params) };
  }

  // The program.

  /** A module's value: its default export, else its main function, or its only one if that takes no parameters. */
  function valueOf(module: Readonly<Record<string, unknown>>): unknown {
    if ("default" in module) return module["default"];
    const names = keys(module);
    const name = names.find((found) => MAIN.test(found)) ?? names[0] ?? "";
    const value = module[name];
    return MAIN.test(name) || (names.length === 1 && typeof value === "function" && value.length === 0)
      ? value
      : undefined;
  }

  function isRunnable(value: unknown): value is () => unknown {
    return typeof value === "function" && !apply(startsWith, apply(functionText, value, []), ["class"]);
  }

  // Neither writable nor configurable.
  defineProperty(globalThis, "__callTool__", { __proto__: null, value: callTool } as PropertyDescriptor);
  return {
    values,
    script,
    begin(given, assigned) {
      limits = given;
      const names: Readonly<Record<string, unknown>> = { module: script, exports: exported, ...toolNames() };
      // An existing name keeps its meaning.
      const declare = (name: string, value?: unknown): unknown =>
        name in globalThis || defineProperty(globalThis, name, ownValue(value));
      for (const name of keys(names)) declare(name, names[name]);
      for (const name of assigned) declare(name);
    },
    async run(module, { isBody, callsValue, returns, isReturned }) {
      try {
        let value = valueOf(module);
        if (isBody) value = await (value as () => unknown)();
        if (value === undefined && (script.exports !== exported || keys(exported).length > 0)) value = script.exports;
        if (isRunnable(value) && (callsValue || value.length === 0)) value = await value();
        await succeed(value, returns, isReturned);
      } catch (error) {
        fail(error);
      }
    },
    answer,
    fail,
    unhandled(error) {
      if (!isOpen) return fail(error);
      const { name, message } = describe(error);
      print(`Unhandled error: ${name}: ${message}`);
    },
    idle: () => done(ending?.body ?? ',"error":{"unsettled":true}'),
    exit(code) {
      if (code !== 0) fail(new Error(`The program ended itself with code ${code}`));
      done("");
    },
    unanswered: () => sent,
    isEnding: () => ending !== undefined,
  };
}

/** A call that is not answered. */
interface Pending {
  readonly tool: string;
  resolve(value: unknown): void;
  reject(error: Error): void;
  /** Thrown if the call fails. */
  readonly error: Error;
}
