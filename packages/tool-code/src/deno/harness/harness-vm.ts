/**
 * Takes code caches out of `node:vm`: V8 loads one without verifying it, so a changed one is code of the program's own that
 * reads and writes any memory. Runs inside Deno before anything else and is sent there as source, so it uses nothing from
 * outside of itself.
 *
 * @param vm The default export of the module. Its functions are replaced in place.
 */
export function harnessVm(vm: Record<string, any>): void {
  const { apply, construct, defineProperty } = Reflect;
  const { Script: Original, compileFunction, createContext } = vm;
  const prototype = Original.prototype;
  const { runInContext, runInNewContext, runInThisContext } = prototype;
  const KNOWN = (
    "filename lineOffset columnOffset importModuleDynamically displayErrors timeout breakOnSigint " +
    "contextName contextOrigin contextCodeGeneration microtaskMode parsingContext contextExtensions"
  ).split(" ");
  const refuse = (): never => {
    throw new TypeError("Using a code cache: code caches are not available here, compile from source");
  };

  /** The options that are left, each read once, in an object that inherits nothing. */
  function plain(options: unknown): unknown {
    if (typeof options === "string") return { __proto__: null, filename: options };
    if (options === undefined) return { __proto__: null };
    if ((typeof options !== "object" && typeof options !== "function") || options === null) return options;
    const given = options as Record<string, unknown>;
    if (given["cachedData"] !== undefined || given["produceCachedData"]) refuse();
    const copy = { __proto__: null } as unknown as Record<string, unknown>;
    for (let at = 0; at < KNOWN.length; at += 1) {
      const name = KNOWN[at] as string;
      const value = given[name];
      if (value !== undefined) copy[name] = value;
    }
    return copy;
  }

  function Script(code: unknown, options: unknown): object {
    if (new.target === undefined) throw new TypeError("Making a script: Script is called without new");
    return construct(Original, [code, plain(options)], new.target);
  }
  defineProperty(Script, "prototype", { value: prototype, writable: false });
  const fixed = (target: object, name: string, value: unknown): void => {
    if (!defineProperty(target, name, { value, writable: false, configurable: false }))
      throw new Error(`Sealing the sandbox: ${name} of node:vm cannot be replaced`);
  };
  fixed(prototype, "constructor", Script);
  fixed(prototype, "createCachedData", refuse);
  const compiled = (code: unknown, options: unknown): unknown => construct(Original, [code, plain(options)]);
  Object.assign(vm, {
    Script,
    createScript: compiled,
    compileFunction: (code: unknown, params: unknown, options: unknown) =>
      apply(compileFunction, vm, [code, params, plain(options)]),
    runInContext: (code: unknown, context: unknown, options: unknown) =>
      apply(runInContext, compiled(code, options), [context, plain(options)]),
    runInNewContext: (code: unknown, context: unknown, options: unknown) =>
      apply(runInNewContext, compiled(code, options), [context ?? apply(createContext, vm, []), plain(options)]),
    runInThisContext: (code: unknown, options: unknown) =>
      apply(runInThisContext, compiled(code, options), [plain(options)]),
  });
}
