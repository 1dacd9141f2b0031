import type { HostMessage, RunMessage, WarmMessage } from "../../bridge/host-message.ts";
import type { callPromise } from "../../program/call-promise.ts";
import type { cutJson } from "../../program/cut-json.ts";
import type { moduleValue } from "../../program/module-value.ts";
import type { ProgramReading } from "../../program/program-readings.ts";
import type { thrownReport } from "../../program/thrown-report.ts";
import type { toolNamespaces } from "../../program/tool-namespaces.ts";
import type { valueJson } from "../../program/value-json.ts";
import type { DenoApi } from "./deno-api.ts";
import type { harnessGlobals } from "./harness-globals.ts";
import type { HarnessStack } from "./harness-stack.ts";
import type { HarnessWire } from "./harness-wire.ts";

interface Pending {
  readonly tool: string;
  resolve(value: unknown): void;
  reject(error: Error): void;
  readonly error: Error;
}

/**
 * Runs inside Deno, as its main module, and is sent there as source: it uses nothing from outside itself but its
 * parameters. It loads the program, which is never part of the main module, because Deno lets that one import any file.
 *
 * Everything it needs later is taken before the program starts. This protects the conversation with the host from
 * accidents in the program's own data. A program that attacks the harness gains nothing, because the host decides every
 * call.
 */
export function harness(
  load: (url: string) => Promise<Readonly<Record<string, unknown>>>,
  writeValues: typeof valueJson,
  valueOf: ReturnType<typeof moduleValue>,
  nameTools: typeof toolNamespaces,
  watched: ReturnType<typeof callPromise>,
  cut: ReturnType<typeof cutJson>,
  describeThrown: typeof thrownReport,
  // Before the globals, which give the program another standard input.
  { send, post, byteLength, listen }: HarnessWire,
  stack: HarnessStack,
  defineGlobals: ReturnType<typeof harnessGlobals>,
): void {
  const scope = globalThis as unknown as Record<string, any>;
  const { Deno, URL, Blob, Promise, Error, WeakSet, Function, RangeError, setImmediate, setTimeout } = scope as {
    readonly Deno: DenoApi & Record<symbol, unknown>;
  } & typeof globalThis;
  const { apply, construct, defineProperty } = Reflect;
  const { parse, stringify } = JSON;
  const { min } = Math;
  const lists = Array.prototype;
  const functionText = Function.prototype.toString;
  const { chdir, exit, inspect: denoInspect, unrefTimer } = Deno;
  const { createObjectURL } = URL;
  const { startsWith, split } = String.prototype;
  const { add: addTo, has: isIn } = WeakSet.prototype;
  const { preventDefault } = scope["Event"].prototype;
  const inspect = (value: unknown): string =>
    apply(denoInspect, Deno, [
      value,
      { __proto__: null, colors: false, depth: 6, iterableLimit: 200, strAbbreviateSize: 10_000, breakLength: 100 },
    ]);

  /** Of a returned value that is sent as text. */
  const MOST_VALUES = 1_000_000;
  const values = writeValues(inspect);
  const describe = describeThrown(inspect);
  const toolErrors = new WeakSet();
  const pending = { __proto__: null } as unknown as Record<number, Pending | undefined>;
  /** Calls that are not sent yet: as many as the host takes at a time are. */
  const waiting = { __proto__: null } as unknown as Record<number, string>;
  let firstWaiting = 0;
  let nextWaiting = 0;
  let sent = 0;
  let calls = 0;
  let outputBytes = 0;
  let frameBytes = 0;
  let frameValues = 0;
  let maxCalls = 0;
  let maxConcurrency = 0;
  let lingerMs = 0;
  let textChars = 0;
  let begun = false;
  let finished = false;
  /** Whether the program has returned a value in this turn of the event loop. */
  let isOpen = false;
  /** How the program ends when nothing of it is under way any more. */
  let ending: { readonly body: string; readonly isReturned: boolean } | undefined;

  /** Whether a text has more bytes than allowed. A character has at most three for each of its units. */
  function isLonger(text: string, bytes: number): boolean {
    return text.length * 3 > bytes && byteLength(text) > bytes;
  }

  function done(body: string): void {
    if (finished) return;
    finished = true;
    send(`{"t":"done"${body}}`);
  }

  async function succeed(value: unknown, isAsked: boolean, isReturned: boolean): Promise<void> {
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
    // Calls are waited for, and without a value that was returned all else: a program may print later.
    ending = { body, isReturned: isReturned && body !== "" };
    // What is rejected and not handled is noticed at the end of a turn.
    isOpen = ending.isReturned && sent === 0;
    afterTurn(() => {
      isOpen = false;
      if (!endIfDone()) apply(unrefTimer, Deno, [setTimeout(() => done(body), lingerMs)]);
    });
  }

  function afterTurn(proceed: () => void): void {
    // The engine keeps the turns in lists, which a setter in their prototype breaks.
    for (let at = 0; at < 4; at += 1) if (at in lists) return proceed();
    setImmediate(proceed);
  }

  function endIfDone(): boolean {
    const isDone = ending?.isReturned === true && sent === 0;
    if (isDone) done(ending?.body ?? "");
    return isDone;
  }

  function fail(error: unknown, syntax: { readonly url: string; readonly prefix: string } | undefined): void {
    const tool = typeof error === "object" && error !== null && apply(isIn, toolErrors, [error]);
    const report = stringify({
      __proto__: null,
      ...describe(error),
      tool,
      url: syntax?.url,
      prefix: syntax?.prefix,
    });
    done(`,"error":${report}`);
  }

  function callTool(name: unknown, params: unknown): Promise<unknown> {
    // Made here, where the stack still holds the line that called the tool.
    const error = new Error("");
    const tool = `${name}`;
    const promise = new Promise<unknown>((resolve, reject) => {
      const found = values.now(params, { values: frameValues, chars: frameBytes });
      const json = "json" in found ? (found.json ?? "null") : "null";
      if ("exceeds" in found && found.exceeds === "values")
        throw new RangeError(`Calling ${tool}: its parameters hold more than ${frameValues} values`);
      if ("exceeds" in found || isLonger(json, frameBytes))
        throw new RangeError(`Calling ${tool}: its parameters are longer than ${frameBytes} bytes`);
      calls += 1;
      pending[calls] = { tool, resolve, reject, error };
      const call = `{"t":"call","id":${calls},"name":${stringify(tool)},"params":${json}}`;
      // The host ends a program with too many calls as soon as it receives the excess call.
      if (sent < maxConcurrency || calls > maxCalls) {
        sent += 1;
        post(call);
      } else waiting[nextWaiting++] = call;
    });
    return watched(tool, promise);
  }

  /** A descriptor that inherits nothing. */
  function ownValue(value: string | undefined): PropertyDescriptor {
    return { __proto__: null, value, writable: true, configurable: true } as PropertyDescriptor;
  }

  function settle(message: Exclude<HostMessage, RunMessage | WarmMessage>): void {
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
    if (ending !== undefined && sent === 0) setImmediate(endIfDone);
    if (message.t === "result") return call.resolve(message.value);
    defineProperty(call.error, "name", ownValue("ToolError"));
    defineProperty(call.error, "message", ownValue(message.message));
    defineProperty(call.error, "tool", ownValue(call.tool));
    defineProperty(call.error, "code", ownValue(message.code));
    apply(addTo, toolErrors, [call.error]);
    call.reject(call.error);
  }

  function urlOf(text: string): string {
    return apply(createObjectURL, URL, [construct(Blob, [[text], { type: "application/typescript" }])]);
  }

  /** Tries the ways to read the program; runs the first that parses. */
  async function run({ readings, stubs, cwd, readsInput, ...limits }: RunMessage): Promise<void> {
    outputBytes = limits.outputBytes;
    frameBytes = limits.frameBytes;
    frameValues = limits.frameValues;
    maxCalls = limits.calls;
    maxConcurrency = limits.maxConcurrency;
    lingerMs = limits.lingerMs;
    textChars = limits.textChars;
    stack.begin(limits.lines, limits.homes);
    if (cwd !== undefined) apply(chdir, Deno, [cwd]);
    const scripted = defineGlobals(cwd ?? "/", limits.assigned, readsInput);
    nameTools(callTool);
    let unlinked: unknown;
    for (let at = 0; at < readings.length; at += 1) {
      const { prefix, text, shifts, suffix, isBody, callsValue, returns, isReturned, isTold } = readings[
        at
      ] as ProgramReading;
      const url = urlOf(prefix + text + suffix + stubs);
      stack.add(url, [{ line: 1, column: 0, by: prefix.length }, ...shifts]);
      let loaded;
      try {
        loaded = await load(url);
      } catch (error) {
        const unparsed = isUnparsed(error, url) ? { url, prefix } : undefined;
        // It parsed, but an import does not exist in its module: errors of further readings would explain less.
        if (isUnlinked(error)) unlinked = error;
        if (at === readings.length - 1) return fail(unlinked ?? error, unparsed);
        if (unparsed !== undefined && isTold)
          send(
            `{"t":"syntax","url":${stringify(url)},"prefix":${stringify(prefix)},"message":${stringify(`${(error as Error).message}`)}}`,
          );
        continue;
      }
      let value = valueOf(loaded);
      try {
        if (isBody) value = await (value as () => unknown)();
        if (value === undefined) value = scripted.given;
        if (isRunnable(value) && (callsValue || value.length === 0)) value = await value();
      } catch (error) {
        return fail(error, undefined);
      }
      return await succeed(value, returns, isReturned);
    }
  }

  /** Whether an import failed because the module itself is not TypeScript; its own code has not run then. */
  function isUnparsed(error: unknown, url: string): boolean {
    const message = `${(error as Error | undefined)?.message}`;
    return (error as Error)?.name === "SyntaxError" || apply(startsWith, message, ["SyntaxError: "])
      ? apply(split, message, [` at ${url}:`]).length > 1
      : false;
  }

  function isUnlinked(error: unknown): boolean {
    return apply(split, `${(error as Error | undefined)?.message}`, [" provide an export named "]).length > 1;
  }

  function isRunnable(value: unknown): value is () => unknown {
    return typeof value === "function" && !apply(startsWith, apply(functionText, value, []), ["class"]);
  }

  /** Does about as much as a short program: code is slowest the first time it runs. */
  async function warm(code: string): Promise<void> {
    const { default: program } = await load(urlOf(code));
    const value = await (program as () => Promise<unknown>)();
    await values.settled(value, { values: 100, chars: 100 });
    values.now(value, { values: 100, chars: 100 });
  }

  function receive(json: string): void {
    const message = parse(json) as HostMessage;
    if (message.t === "warm") return void warm(message.code);
    if (message.t !== "run") return settle(message);
    begun = true;
    void run(message).then(undefined, (error) => fail(error, undefined));
  }

  defineProperty(scope, "__callTool__", { value: callTool, writable: false, configurable: false, enumerable: false });
  // Ending itself without an error is a success.
  const { console, process } = scope;
  const leave = (status: unknown): never => {
    const code = Number(status ?? process.exitCode ?? 0);
    if (code !== 0) fail(new Error(`The program ended itself with code ${code}`), undefined);
    done("");
    return exit(code);
  };
  Deno.exit = leave;
  process.exit = leave;
  // Standard error arrives out of order, and Deno writes text there that a program must not read.
  const { log } = console;
  for (const method of ["warn", "error", "trace"]) console[method] = log;
  console.assert = (holds: unknown, ...args: unknown[]): void => void (holds || log("Assertion failed:", ...args));
  for (const event of ["error", "unhandledrejection"]) {
    scope["addEventListener"](event, (raised: { readonly error?: unknown; readonly reason?: unknown }) => {
      apply(preventDefault, raised, []);
      const error = event === "error" ? raised.error : raised.reason;
      if (!isOpen) return fail(error, undefined);
      const { name, message } = describe(error);
      log(`Unhandled error: ${name}: ${message}`);
    });
  }
  scope["addEventListener"]("unload", () => {
    if (begun) done(ending?.body ?? `,"error":{"unsettled":true}`);
  });
  listen({
    ready: () => send(`{"t":"ready","version":${stringify(Deno.version.deno)}}`),
    receive,
    isDue: () => !begun || sent > 0,
    waits: () => sent > 0 && ending === undefined,
  });
}
