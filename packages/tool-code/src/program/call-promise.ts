/**
 * Makes the function that has the promise of a call say so when it is read as if it were the result. It runs beside the
 * program, sent there as source, so it uses nothing from outside itself.
 */
export function callPromise(): (tool: string, promise: Promise<unknown>) => Promise<unknown> {
  const { Promise, Proxy, TypeError } = globalThis;
  const { create, setPrototypeOf } = Object;
  const { apply, get } = Reflect;
  const { slice, startsWith } = String.prototype;
  const { toPrimitive, iterator } = Symbol;
  const prototypes = create(null) as Record<string, object>;

  function prototypeFor(tool: string): object {
    // Looks like the prototype of promises to what prints one.
    const prototype = create(Promise.prototype, {
      constructor: { __proto__: null, value: Promise, writable: true, configurable: true },
    } as PropertyDescriptorMap) as object;
    return new Proxy(prototype, {
      // Inherits nothing, and neither does the descriptor: a program may have changed what objects inherit.
      __proto__: null,
      get(target: object, name: string | symbol, receiver: unknown) {
        // Printing an object and writing it as JSON read other symbols, and `toJSON`.
        const isSymbol = typeof name === "symbol";
        const isOdd = isSymbol ? name !== toPrimitive && name !== iterator : name === "toJSON";
        if (isOdd || name in target) return get(target, name, receiver);
        const read = isSymbol ? "" : `.${name}`;
        throw new TypeError(`${tool}(…)${read} was read before it was awaited: write (await ${tool}(…))${read}`);
      },
    } as ProxyHandler<object>);
  }

  return (tool, promise) => {
    // Functions of the host are marked on the way there.
    const name: string = apply(startsWith, tool, ["host:"]) ? apply(slice, tool, [5]) : tool;
    return setPrototypeOf(promise, (prototypes[name] ??= prototypeFor(name))) as Promise<unknown>;
  };
}
