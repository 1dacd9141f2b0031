/**
 * Closes the ways out that Deno leaves to a program without any permission. Runs inside Deno before anything else and
 * is sent there as source, so it uses nothing from outside itself. Throws on failure: then nothing runs.
 *
 * @param NodeWorker The class `Worker` of `node:worker_threads`.
 * @param modules The default exports of Node's modules to close.
 * @param closed The exports to close in each, `null` for all.
 * @param sealVm Takes code caches out of `node:vm`.
 */
export function harnessSeal(
  NodeWorker: object,
  modules: Readonly<Record<string, object>>,
  closed: Readonly<Record<string, readonly string[] | null>>,
  sealVm: (vm: Record<string, unknown>) => void,
): void {
  const scope = globalThis as unknown as Record<string, any>;
  const { Deno, navigator, process } = scope;
  const remove = (target: object, name: PropertyKey): void => {
    if (!Reflect.deleteProperty(target, name))
      throw new Error(`Sealing the sandbox: ${String(name)} cannot be removed`);
  };
  // Deno's decoder of errors is in there. It reads any line of any file, permissions unasked: a source map, or the name
  // a script is given, says which (Deno 2.9.5 and 2.9.6; denoland/deno#36352).
  // Deno's modules still use that object, also those that load later: a setter that a program puts on `Object.prototype`
  // would be called with it.
  Object.setPrototypeOf(Deno[Deno.internal], null);
  remove(Deno, Deno.internal);
  // A worker has a `Deno` of its own, with the same decoder. The constructors of both classes begin with `super()`,
  // which calls the prototype of the class; a class that cannot be extended keeps its prototype.
  const refuse = function (): never {
    throw new TypeError("Starting a worker: workers are not available here, allowed is code that runs in one thread");
  };
  for (const worker of [scope["Worker"], NodeWorker]) {
    if (!Reflect.setPrototypeOf(worker, refuse) || !Reflect.preventExtensions(worker)) {
      throw new Error("Sealing the sandbox: workers cannot be switched off");
    }
  }
  // Without workers these are gone for good: two places that outlast a program, and the graphics driver. Their classes go
  // too: a method of theirs takes any object for its own that has the marks of one, and marks can be copied.
  remove(Object.getPrototypeOf(navigator), "gpu");
  for (const name of Reflect.ownKeys(scope)) {
    if (typeof name === "string" && /^(?:Worker|caches|Cache|(?:local|session)?Storage|GPU)/i.test(name))
      remove(scope, name);
  }
  // Starts the existing Node bootstrap a second time.
  remove(scope, "nodeBootstrap");
  Deno.execPath = () => "deno";
  for (const name of Object.keys(closed)) {
    const module = modules[name] as Record<string, unknown>;
    if (name === "vm") sealVm(module);
    for (const key of closed[name] ?? Object.keys(module)) {
      const value = function (): never {
        throw new TypeError(
          `Using ${key} of node:${name.replace("_p", "/p")}: not available here, programs have no access to the engine`,
        );
      };
      if (!Reflect.defineProperty(module, key, { value, writable: false, configurable: false }))
        throw new Error(`Sealing the sandbox: ${key} of node:${name} cannot be closed`);
    }
  }
  for (const key of ["binding", "_linkedBinding", "dlopen", "_debugProcess"])
    for (let of = process; of !== null; of = Object.getPrototypeOf(of)) if (Object.hasOwn(of, key)) remove(of, key);
  for (const key of ["getReport", "writeReport"]) remove(process.report, key);
}

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
