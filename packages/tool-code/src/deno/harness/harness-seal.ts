/**
 * Closes what Deno leaves open to a program that has no permission at all. Runs inside Deno before anything else and is
 * sent there as source, so it uses nothing from outside of itself. Throws when it cannot: then nothing runs.
 *
 * @param NodeWorker The class `Worker` of `node:worker_threads`.
 */
export function harnessSeal(NodeWorker: object): void {
  const scope = globalThis as unknown as Record<string, any>;
  const { Deno, navigator } = scope;
  const remove = (target: object, name: PropertyKey): void => {
    if (!Reflect.deleteProperty(target, name))
      throw new Error(`Sealing the sandbox: ${String(name)} cannot be removed`);
  };
  // Deno's decoder of errors is in there. It reads any line of any file, permissions unasked: a source map, or the name
  // a script is given, says which (Deno 2.9.5 and 2.9.6; denoland/deno#36352).
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
  Deno.execPath = () => "deno";
}
