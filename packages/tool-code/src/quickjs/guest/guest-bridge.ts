import type { BridgeLimits, CallAnswer } from "../../bridge/host-message.ts";
import type { BridgeSandbox, ProgramBridge } from "../../bridge/program-bridge.ts";
import type { ProgramReading } from "../../program/program-readings.ts";
import type { GuestHost } from "./guest-host.ts";

/** The functions that the host calls inside the sandbox. */
export interface GuestBridge extends Pick<ProgramBridge, "unhandled" | "idle" | "exit"> {
  /** Sets the limits of the program, and declares names that it assigns without declaring them, as a script may. */
  begin(limits: BridgeLimits, assigned: readonly string[]): void;
  /** Runs a module that is being loaded: its value is that of the program. */
  run(loading: Promise<Readonly<Record<string, unknown>>>, reading: ProgramReading): void;
  /** Takes a message of the host. */
  receive(json: string): void;
  /** Everything that was ready has run, and rejections that nothing handles were reported. */
  turn(): void;
}

/**
 * Puts the bridge between the host and the program. Runs inside QuickJS, sent there as source: it uses nothing from
 * outside itself but its parameters, and takes everything it needs before the program starts.
 *
 * @param print Prints a line.
 * @param modules What `require` gives.
 */
export function guestBridge(
  host: GuestHost,
  createBridge: (sandbox: BridgeSandbox) => ProgramBridge,
  inspect: (value: unknown) => string,
  print: (line: string) => void,
  modules: Readonly<Record<string, object>>,
): GuestBridge {
  const { Error, TextEncoder } = globalThis;
  const { apply, defineProperty } = Reflect;
  const { parse, stringify } = JSON;
  const { keys, hasOwn } = Object;
  const { encode } = TextEncoder.prototype;
  const encoder = new TextEncoder();
  const byteLengthOf = Reflect.getOwnPropertyDescriptor(
    Reflect.getPrototypeOf(Uint8Array.prototype) as object,
    "byteLength",
  )?.get as () => number;
  const NO_MODULES = "it is not here, allowed are path, buffer, util, events, assert and timers/promises";
  /** The CommonJS exports of a program. */
  const exported = {};
  const script = { exports: exported as unknown };
  let atTurn: (() => void) | undefined;

  const { begin, run, answer, fail, unhandled, idle, exit } = createBridge({
    end: (json) => host("done", json),
    post: (json) => host("call", json),
    byteLength: (text) => apply(byteLengthOf, apply(encode, encoder, [text]), []),
    inspect,
    print,
    afterTurn: (proceed) => void (atTurn = proceed),
    // The host then calls `idle`.
    linger: (_, delayMs) => host("linger", delayMs),
    isFull: () => host("full") !== undefined,
  });

  return {
    begin(limits, assigned) {
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
      for (const name of assigned) if (!(name in globalThis)) define(name, undefined);
      begin(limits);
    },
    run(loading, reading) {
      const given = (): unknown =>
        script.exports !== exported || keys(exported).length > 0 ? script.exports : undefined;
      void (async () => {
        let loaded;
        try {
          loaded = await loading;
        } catch (error) {
          return fail(error);
        }
        await run(loaded, reading, given);
      })();
    },
    receive: (json) => answer(parse(json) as CallAnswer),
    unhandled,
    turn() {
      const proceed = atTurn;
      atTurn = undefined;
      proceed?.();
    },
    idle,
    exit,
  };
}
