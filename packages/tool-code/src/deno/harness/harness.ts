import type { HostMessage, RunMessage } from "../../bridge/host-message.ts";
import type { BridgeSandbox, ProgramBridge } from "../../bridge/program-bridge.ts";
import type { ProgramReading } from "../../program/program-readings.ts";
import type { DenoApi } from "./deno-api.ts";
import type { harnessGlobals } from "./harness-globals.ts";
import type { HarnessStack } from "./harness-stack.ts";
import type { HarnessWire } from "./harness-wire.ts";

/**
 * Runs inside Deno, as its main module, and is sent there as source: it uses nothing from outside itself but its
 * parameters, and takes everything it needs before the program starts. It loads the program, which is never part of the
 * main module, because Deno lets that one import any file.
 */
export function harness(
  load: (url: string) => Promise<Readonly<Record<string, unknown>>>,
  createBridge: (sandbox: BridgeSandbox) => ProgramBridge,
  // Before the globals, which give the program another standard input.
  { send, post, byteLength, listen }: HarnessWire,
  stack: HarnessStack,
  defineGlobals: ReturnType<typeof harnessGlobals>,
): void {
  const scope = globalThis as unknown as Record<string, any>;
  const { Deno, URL, Blob, setImmediate, setTimeout } = scope as { readonly Deno: DenoApi } & typeof globalThis;
  const { apply, construct } = Reflect;
  const { parse, stringify } = JSON;
  const lists = Array.prototype;
  const { chdir, exit, inspect, unrefTimer } = Deno;
  const { createObjectURL } = URL;
  const { startsWith, split } = String.prototype;
  const { preventDefault } = scope["Event"].prototype;
  const { console, process } = scope;
  const { log } = console;
  let begun = false;

  const bridge = createBridge({
    end: send,
    post,
    byteLength,
    inspect: (value) =>
      apply(inspect, Deno, [
        value,
        { __proto__: null, colors: false, depth: 6, iterableLimit: 200, strAbbreviateSize: 10_000, breakLength: 100 },
      ]),
    print: log,
    afterTurn(proceed) {
      // The engine keeps the turns in lists, which a setter in their prototype breaks.
      for (let at = 0; at < 4; at += 1) if (at in lists) return proceed();
      setImmediate(proceed);
    },
    linger: (done, delayMs) => apply(unrefTimer, Deno, [setTimeout(done, delayMs)]),
  });

  const { begin, run, answer, fail, unhandled, idle, values, unanswered, isEnding } = bridge;

  function urlOf(text: string): string {
    return apply(createObjectURL, URL, [construct(Blob, [[text], { type: "application/typescript" }])]);
  }

  /** Tries the ways to read the program; runs the first that parses. */
  async function start(message: RunMessage): Promise<void> {
    const { readings, stubs, cwd, lines, homes, assigned, readsInput } = message;
    stack.begin(lines, homes);
    if (cwd !== undefined) apply(chdir, Deno, [cwd]);
    defineGlobals(cwd ?? "/", bridge.script, readsInput);
    begin(message, assigned);
    let unlinked: unknown;
    for (let at = 0; at < readings.length; at += 1) {
      const reading = readings[at] as ProgramReading;
      const { prefix, text, shifts, suffix, isTold } = reading;
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
      return run(loaded, reading);
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
    if (message.t !== "run") return answer(message);
    begun = true;
    void start(message).then(undefined, fail);
  }

  // Ending itself without an error is a success.
  const leave = (status: unknown): never => {
    const code = Number(status ?? process.exitCode ?? 0);
    bridge.exit(code);
    return exit(code);
  };
  Deno.exit = leave;
  process.exit = leave;
  // Standard error arrives out of order, and Deno writes text there that a program must not read.
  for (const method of ["warn", "error", "trace"]) console[method] = log;
  console.assert = (holds: unknown, ...args: unknown[]): void => void (holds || log("Assertion failed:", ...args));
  for (const event of ["error", "unhandledrejection"]) {
    scope["addEventListener"](event, (raised: { readonly error?: unknown; readonly reason?: unknown }) => {
      apply(preventDefault, raised, []);
      unhandled(event === "error" ? raised.error : raised.reason);
    });
  }
  scope["addEventListener"]("unload", () => {
    if (begun) idle();
  });
  listen({
    ready: () => send(`{"t":"ready","version":${stringify(Deno.version.deno)}}`),
    receive,
    isDue: () => !begun || unanswered() > 0,
    waits: () => unanswered() > 0 && !isEnding(),
  });
}
