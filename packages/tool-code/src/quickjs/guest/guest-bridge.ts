import type { CallAnswer } from "../../bridge/host-message.ts";
import type { BridgeSandbox, ProgramBridge } from "../../bridge/program-bridge.ts";
import type { ProgramReading } from "../../program/program-readings.ts";
import type { GuestHost } from "./guest-host.ts";

/** The functions that the host calls inside the sandbox. */
export interface GuestBridge extends Pick<ProgramBridge, "begin" | "unhandled" | "idle" | "exit"> {
  /** Runs a module that is being loaded: its value is that of the program. */
  run(loading: Promise<Readonly<Record<string, unknown>>>, reading: ProgramReading): void;
  receive(json: string): void;
  /** Everything that was ready has run, and rejections that nothing handles were reported. */
  turn(): void;
}

/**
 * Puts the bridge between the host and the program. Runs inside QuickJS, sent there as source: it uses nothing from
 * outside itself but its parameters, and takes everything it needs before the program starts.
 *
 * @param print Prints a line.
 * @param require Gives the program modules.
 */
export function guestBridge(
  host: GuestHost,
  createBridge: (sandbox: BridgeSandbox) => ProgramBridge,
  inspect: (value: unknown) => string,
  print: (line: string) => void,
  require: (name: unknown) => object,
): GuestBridge {
  const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const { parse } = JSON;
  const { encode } = TextEncoder.prototype;
  const encoder = new TextEncoder();
  const size = getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype) as object, "byteLength")
    ?.get as () => number;
  let atTurn: (() => void) | undefined;

  const { script, begin, run, answer, fail, unhandled, idle, exit } = createBridge({
    end: (json) => host("done", json),
    post: (json) => host("call", json),
    byteLength: (text) => apply(size, apply(encode, encoder, [text]), []),
    inspect,
    print,
    afterTurn: (proceed) => void (atTurn = proceed),
    // The host then calls `idle`.
    linger: (_, delayMs) => host("linger", delayMs),
    isFull: () => host("full") !== undefined,
  });

  const value = Object.assign(require, { main: script });
  defineProperty(globalThis, "require", { value, writable: true, configurable: true });
  return {
    begin,
    run(loading, reading) {
      void (async () => {
        let loaded;
        try {
          loaded = await loading;
        } catch (error) {
          return fail(error);
        }
        await run(loaded, reading);
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
