/**
 * A function that programs can call beside those of the tools. A call goes over the bridge and counts against `calls`,
 * but it is no tool call: it needs no approval, notifies no observer and leaves no transcript entry.
 */
export interface HostFunction {
  /** The name programs call it by; `freeName` numbers it when a tool has the same name. */
  readonly name: string;
  /** Its parameters in TypeScript, as a tuple: `[id: string]`. */
  readonly parameters: string;
  /** Its result in TypeScript: `string`. */
  readonly returns: string;
  /** JavaScript that makes the program's result of `answer`, what `call` returned. Default: that itself. */
  readonly result?: string;
  /** Runs the function. The arguments are untrusted; an error is thrown in the program. */
  readonly call: (args: readonly unknown[]) => unknown;
}

/** Marks a call of a host function on the bridge. No tool name has a colon. */
const PREFIX = "host:";

/** TypeScript source of host functions, to append to `stubs`, the functions of the tools. */
export function hostStubs(functions: readonly HostFunction[], stubs: string): string {
  return functions
    .map(({ name, parameters, returns, result }) => {
      const head = `async function ${freeName(name, stubs)}(...args: ${parameters}): Promise<${returns}>`;
      const then = result === undefined ? "" : `.then((answer) => (${result}))`;
      return `${head} {\n  return __callTool__(${JSON.stringify(PREFIX + name)}, args)${then};\n}\n`;
    })
    .join("");
}

/** The host function that a call over the bridge names; `undefined` for a tool call. */
export function findHostFunction(functions: readonly HostFunction[], called: string): HostFunction | undefined {
  return called.startsWith(PREFIX) ? functions.find(({ name }) => PREFIX + name === called) : undefined;
}

/** The name itself, or the name with a number appended when `stubs` already declare it. */
export function freeName(name: string, stubs: string): string {
  const found = stubs.matchAll(/^(?:async function|declare function|type) (\w+)/gm);
  const taken = new Set([...found].map(([, word]) => word));
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}${number}`;
  return free;
}
