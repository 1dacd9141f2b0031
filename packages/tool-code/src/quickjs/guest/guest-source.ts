import { bridgeSource } from "../../bridge/program-bridge.ts";
import { guestAssert } from "./guest-assert.ts";
import { guestBridge, type GuestBridge } from "./guest-bridge.ts";
import { guestBuffer } from "./guest-buffer.ts";
import { guestConsole, type GuestConsole } from "./guest-console.ts";
import { guestErrors } from "./guest-errors.ts";
import { guestInspect } from "./guest-inspect.ts";
import { guestModules, importRefusal } from "./guest-modules.ts";
import { guestTimers, type GuestTimers } from "./guest-timers.ts";
import { guestWeb } from "./guest-web.ts";

/** The functions that the host can call inside the sandbox. */
export type Guest = Omit<GuestBridge, "exit"> & Pick<GuestTimers, "fire"> & Pick<GuestConsole, "flush">;

/**
 * The source of a function that takes the host, prepares the sandbox, and returns a {@link Guest}. The published package holds
 * the text this returns.
 */
export function guestSource(): string {
  return `(door) => {
    // Some bundlers keep names with a helper that exists only in their bundle.
    const __name = (value) => value;
    let printer;
    const host = (operation, a, b, c) => {
      if (operation === "done") printer.flush();
      return door(operation, a, b, c);
    };
    (${guestErrors.toString()})(host);
    const inspect = (${guestInspect.toString()})();
    const timers = (${guestTimers.toString()})(host);
    printer = (${guestConsole.toString()})(host, inspect);
    const Buffer = (${guestBuffer.toString()})();
    const hrtime = (since = [0, 0]) => {
      const now = performance.now();
      const [seconds, rest] = [Math.floor(now / 1_000) - since[0], Math.floor((now % 1_000) * 1e6) - since[1]];
      return rest < 0 ? [seconds - 1, rest + 1e9] : [seconds, rest];
    };
    hrtime.bigint = () => BigInt(Math.floor(performance.now() * 1e6));
    const globals = {
      Buffer,
      console: printer.console,
      process: { env: {}, argv: ["deno", "/main.ts"], platform: "linux", cwd: () => "/", hrtime, exitCode: undefined, exit: undefined },
      ...(${guestWeb.toString()})(host),
      ...timers.globals,
    };
    for (const name of Object.keys(globals))
      Object.defineProperty(globalThis, name, { value: globals[name], writable: true, configurable: true });
    const modules = (${guestModules.toString()})(inspect, printer.format, Buffer, (${guestAssert.toString()})(inspect));
    const require = (name) => {
      const plain = String(name).replace(/^node:/, "");
      if (Object.hasOwn(modules, plain)) return modules[plain];
      throw new Error((${importRefusal.toString()})(String(name)));
    };
    const { exit, ...bridge } = (${guestBridge.toString()})(host, ${bridgeSource()}, inspect, printer.console.log, require);
    globals.process.exit = (status) => {
      exit(Number(status ?? globals.process.exitCode ?? 0));
      host("stop");
    };
    const fire = () => {
      try {
        return timers.fire();
      } catch (error) {
        bridge.unhandled(error);
        return false;
      }
    };
    return { ...bridge, fire, flush: printer.flush };
  }`;
}
