type Module = typeof import("./invalid-params.ts");

let loaded: Module | undefined;

/**
 * Calls `use` with the module that repairs and explains invalid parameters: asynchronously the first time, then at once.
 * The first call with invalid parameters loads it, because most programs start without one: that saves each start 1.8 ms
 * of CPU time.
 */
export function loadInvalidParams<T>(use: (module: Module) => T | Promise<T>): T | Promise<T> {
  if (loaded !== undefined) return use(loaded);
  return import("./invalid-params.ts").then((module) => use((loaded = module)));
}
