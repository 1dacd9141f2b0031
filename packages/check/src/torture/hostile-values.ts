/** An object that throws wherever it is looked at. */
export function throwingProxy(): object {
  const trap = (): never => {
    throw new Error("the trap was sprung");
  };
  return new Proxy(
    {},
    { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap, set: trap },
  );
}

/** A proxy that was revoked: every operation on it throws. */
export function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** An object that holds itself. */
export function circular(): object {
  const value: Record<string, unknown> = { kept: "inside" };
  value["self"] = value;
  return value;
}

/** Arrays in arrays, `levels` of them. */
export function nested(levels: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < levels; level += 1) value = [value];
  return value;
}

/** The JSON text of arrays in arrays. */
export function nestedText(levels: number): string {
  return "[".repeat(levels) + "]".repeat(levels);
}

/** An object with one property that throws when it is read. */
export function throwingGetter(key: string): object {
  return Object.defineProperty({}, key, {
    enumerable: true,
    get() {
      throw new Error("the getter threw");
    },
  });
}

/** A promise that never settles. */
export function never(): Promise<never> {
  return new Promise(() => {});
}

/** A promise and its resolvers; `Promise.withResolvers` is not in every supported Node. */
export function held<T>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
} {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((accept, refuse) => {
    resolve = accept;
    reject = refuse;
  });
  return { promise, resolve, reject };
}

/** Resolves after some milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** An object like a promise: `then` is the given value, or the result of a getter. */
export function thenable(then: unknown, target: object = {}): object {
  // oxlint-disable-next-line unicorn/no-thenable -- an object that only resembles a promise is tested here
  return Object.defineProperty(target, "then", { value: then, enumerable: true });
}

/** An object whose `then` is made each time somebody looks. */
export function thenableOf(look: () => unknown): object {
  // oxlint-disable-next-line unicorn/no-thenable -- as above
  return Object.defineProperty({}, "then", { get: look });
}
