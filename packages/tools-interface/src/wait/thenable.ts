/** Limit of thenables that resolve to one another: one that resolves to itself would block the event loop. */
const MAX_THENABLES = 32;

/** True for anything that `await` would wait for. Throws where reading `then` does. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    (typeof value === "object" || typeof value === "function") &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}

/** True for a step of a call that has not ended yet: `if (isPending(step)) step = await step`. */
export function isPending<T extends object>(step: T | PromiseLike<T>): step is PromiseLike<T> {
  return "then" in step;
}

/**
 * A promise for a foreign value, to be awaited in its place: a thenable may call its callbacks twice, throw, or resolve
 * to itself without end. Rejects when more than 32 thenables resolve to one another. Never throws.
 */
export function toPromise<T>(answered: T): Promise<Awaited<T>> {
  if (isPromise(answered)) return answered as Promise<Awaited<T>>;
  return new Promise<unknown>((resolve, reject) => follow(answered, 0, resolve, reject)) as Promise<Awaited<T>>;
}

/** Never throws: a proxy may forbid the question. */
function isPromise(value: unknown): boolean {
  try {
    return value instanceof Promise;
  } catch {
    return false;
  }
}

function follow(
  value: unknown,
  depth: number,
  resolve: (value: unknown) => void,
  reject: (reason: unknown) => void,
): void {
  let isSettled = false;
  const once = (settle: () => void): void => {
    if (isSettled) return;
    isSettled = true;
    settle();
  };
  try {
    if (isPromise(value) || !isThenable(value)) return once(() => resolve(value));
    if (depth === MAX_THENABLES) throw new TypeError(`it answered with over ${MAX_THENABLES} promises of promises`);
    value.then(
      (next) => once(() => follow(next, depth + 1, resolve, reject)),
      (reason: unknown) => once(() => reject(reason)),
    );
  } catch (thrown) {
    once(() => reject(thrown));
  }
}
