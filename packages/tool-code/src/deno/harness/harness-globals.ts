/** What a program gives to others by CommonJS. */
export interface ProgramExports {
  /** What it gives, if it gave anything; `undefined` when not. */
  readonly given: unknown;
}

/**
 * Makes the function that gives a program the globals of a Node script that is the main module of its directory: `require`,
 * `module`, `exports`, `__dirname` and `__filename`; and the names that it assigns without declaring them, as a script may.
 * It gives no rights: a program can import `node:module`. Runs inside Deno, sent there as source like the harness it is for.
 */
export function harnessGlobals(): (directory: string, assigned: readonly string[]) => ProgramExports {
  const scope = globalThis as unknown as Record<string, any>;
  const { defineProperty } = Reflect;
  const { keys } = Object;
  const { process, URL } = scope as { readonly process: NodeJS.Process } & typeof globalThis;

  const define = (name: string, value: unknown): void => {
    defineProperty(scope, name, { value, writable: true, configurable: true });
  };

  return (directory, assigned) => {
    const exports = {};
    const module = { exports: exports as unknown, id: "." };
    const filename = `${directory === "/" ? "" : directory}/main.ts`;
    let found: NodeJS.Require | undefined;
    defineProperty(scope, "require", {
      configurable: true,
      get() {
        const { createRequire } = process.getBuiltinModule("node:module");
        found ??= Object.assign(createRequire(new URL(`file://${filename}`)), { main: module }) as NodeJS.Require;
        return found;
      },
      set: (value) => define("require", value),
    });
    define("module", module);
    define("exports", exports);
    define("__dirname", directory);
    define("__filename", filename);
    for (const name of assigned) if (!(name in scope)) define(name, undefined);
    return {
      get given() {
        return module.exports !== exports || keys(exports).length > 0 ? module.exports : undefined;
      },
    };
  };
}
