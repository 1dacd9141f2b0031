/** Gives a program, which is `main`, its globals. `readsInput`: whether it may read its standard input as a file. */
type DefineGlobals = (directory: string, main: object, readsInput: boolean) => void;

/**
 * Makes the function that gives a program the globals of a Node script that is the main module of its directory: `require`,
 * `__dirname` and `__filename`. It has an environment without variables, and a standard input that is at its end: the real one belongs to the host.
 * It gives no rights: a program can import `node:module`. Runs inside Deno, sent there as source like the harness it is for.
 */
export function harnessGlobals(): DefineGlobals {
  const scope = globalThis as unknown as Record<string, any>;
  const { defineProperty } = Reflect;
  const { defineProperties } = Object;
  const { process, URL } = scope as { readonly process: NodeJS.Process } & typeof globalThis;

  const define = (name: string, value: unknown): void => {
    defineProperty(scope, name, { value, writable: true, configurable: true });
  };

  /** While the process is idle: reading some of these names loads a module. */
  const { Deno, Buffer } = scope as unknown as typeof globalThis & { readonly Deno: any };
  const env = { __proto__: Deno.env, get: () => undefined, has: () => false, toObject: () => ({}) };
  for (const [owner, value] of [
    [process, {}],
    [Deno, env],
  ])
    defineProperty(owner, "env", { value, writable: true, configurable: true, enumerable: true });
  defineProperties(Deno.stdin, {
    read: { value: async () => null },
    readSync: { value: () => null },
    readable: {
      get: () => new scope["ReadableStream"]({ start: (end: { close(): void }) => end.close(), type: "bytes" }),
    },
  });

  function closeInputFile(): void {
    const fs = process.getBuiltinModule("node:fs") as { readFileSync: (...args: unknown[]) => unknown };
    const { readFileSync } = fs;
    fs.readFileSync = (file, options) =>
      file !== 0 && file !== "/dev/stdin" ? readFileSync(file, options) : options ? "" : Buffer.alloc(0);
    // For those who import it by its name.
    process.getBuiltinModule("node:module").syncBuiltinESMExports();
  }

  return (directory, main, readsInput) => {
    if (readsInput) closeInputFile();
    const filename = `${directory === "/" ? "" : directory}/main.ts`;
    let found: NodeJS.Require | undefined;
    defineProperty(scope, "require", {
      configurable: true,
      get() {
        const { createRequire } = process.getBuiltinModule("node:module");
        found ??= Object.assign(createRequire(new URL(`file://${filename}`)), { main }) as NodeJS.Require;
        return found;
      },
      set: (value) => define("require", value),
    });
    define("__dirname", directory);
    define("__filename", filename);
  };
}
