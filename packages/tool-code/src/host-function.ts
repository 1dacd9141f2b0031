/**
 * A function that programs can call beside those of the tools. It goes over the bridge and counts against the limit of
 * calls, but it is no tool: it needs no approval, tells no observer, and leaves nothing in the transcript.
 */
export interface HostFunction {
  /** The name programs call it by. Gets a number at its end where a tool has that name. */
  readonly name: string;
  /** Its parameters in TypeScript, as a tuple: `[id: string]`. */
  readonly parameters: string;
  /** What it answers in TypeScript: `string`. */
  readonly answers: string;
  /** Answers a call. Gets the arguments as they came, untrusted; what it throws is thrown at the program. */
  readonly answer: (args: readonly unknown[]) => unknown;
}

/** What calls of host functions begin with on the bridge. No tool has a colon in its name. */
const PREFIX = "host:";

/** TypeScript source of host functions, to be appended to `stubs`, which are the functions of the tools. */
export function hostStubs(functions: readonly HostFunction[], stubs: string): string {
  return functions
    .map(({ name, parameters, answers }) => {
      const head = `async function ${freeName(name, stubs)}(...args: ${parameters}): Promise<${answers}>`;
      return `${head} {\n  return __callTool__(${JSON.stringify(PREFIX + name)}, args);\n}\n`;
    })
    .join("");
}

/** The function that a call over the bridge asks for; `undefined` when it asks for a tool. */
export function findHostFunction(functions: readonly HostFunction[], called: string): HostFunction | undefined {
  return called.startsWith(PREFIX) ? functions.find(({ name }) => PREFIX + name === called) : undefined;
}

/** The name a function can have beside `stubs`: with a number behind it where one of the tools has it already. */
export function freeName(name: string, stubs: string): string {
  const found = stubs.matchAll(/^(?:async function|declare function|type) (\w+)/gm);
  const taken = new Set([...found].map(([, word]) => word));
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}${number}`;
  return free;
}
