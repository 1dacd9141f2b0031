import type { GuestHost } from "./guest-host.ts";

/** One line of a stack, as QuickJS gives it to `Error.prepareStackTrace`. */
interface CallSite {
  getFileName(): string | null | undefined;
  getFunctionName(): string | null | undefined;
  getLineNumber(): number;
  getColumnNumber(): number;
}

/**
 * Makes stacks name the program `main.ts`, with positions in the program as it was given, and leave out frames outside
 * the program. Runs inside QuickJS, sent there as source, so it uses nothing from outside itself.
 */
export function guestErrors(host: GuestHost): void {
  const { Error } = globalThis as unknown as {
    Error: { stackTraceLimit: number; prepareStackTrace: unknown; readonly prototype: object };
  };
  const { prototype } = Error;
  const { getOwnPropertyDescriptor, getPrototypeOf } = Reflect;

  /** Whether a call is that of a constructor of the error's own class. */
  function isMaker(error: unknown, site: CallSite): boolean {
    if (typeof error !== "object" || error === null) return false;
    for (let of = getPrototypeOf(error); of !== null && of !== prototype; of = getPrototypeOf(of)) {
      const maker = getOwnPropertyDescriptor(of, "constructor")?.value as unknown;
      if (typeof maker === "function" && maker.name !== "" && maker.name === site.getFunctionName()) return true;
    }
    return false;
  }

  Error.stackTraceLimit = 30;
  Error.prepareStackTrace = (error: unknown, sites: readonly CallSite[]): string => {
    let text: string;
    try {
      text = `${error as string}`;
    } catch {
      text = "Error";
    }
    // Skips the constructors of the error's own class: the error was made where they were called.
    let from = 0;
    while (from < sites.length && isMaker(error, sites[from] as CallSite)) from += 1;
    for (let at = from; at < sites.length; at += 1) {
      const site = sites[at] as CallSite;
      if (site.getFileName() !== "main.ts") continue;
      const place = host("place", site.getLineNumber(), site.getColumnNumber());
      if (place === undefined) continue;
      const name = site.getFunctionName() ?? "";
      const isNamed = name !== "" && name !== "default" && name[0] !== "<";
      text += `\n    at ${isNamed ? `${name} (main.ts:${place})` : `main.ts:${place}`}`;
    }
    return text;
  };
}
