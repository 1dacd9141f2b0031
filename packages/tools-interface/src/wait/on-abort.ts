type Callback = () => void;

/** The callbacks of each signal that has any. */
const listening = new WeakMap<AbortSignal, { readonly callbacks: Set<Callback>; readonly listener: Callback }>();

/**
 * Calls back once when a signal aborts. All callbacks of a signal share one listener, because Node warns of a leak when
 * one signal, such as that of a whole conversation, has more than ten.
 *
 * @returns A function that removes the callback.
 */
export function onAbort(signal: AbortSignal, callback: Callback): Callback {
  const { callbacks } = listening.get(signal) ?? listen(signal);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    const known = listening.get(signal);
    if (callbacks.size > 0 || known?.callbacks !== callbacks) return;
    listening.delete(signal);
    signal.removeEventListener("abort", known.listener);
  };
}

function listen(signal: AbortSignal): { readonly callbacks: Set<Callback>; readonly listener: Callback } {
  const callbacks = new Set<Callback>();
  const listener = (): void => {
    listening.delete(signal);
    for (const callback of callbacks) callback();
  };
  const entry = { callbacks, listener };
  listening.set(signal, entry);
  signal.addEventListener("abort", listener, { once: true });
  return entry;
}

/** Settles as the promise does, or rejects with `reason()` when the signal aborts before. */
export function unlessAborted<Result>(
  promise: Promise<Result>,
  signal: AbortSignal | undefined,
  reason: () => unknown = () => signal?.reason,
): Promise<Result> {
  if (signal === undefined) return promise;
  return new Promise((settle, reject) => {
    const stop = (): void => reject(reason());
    const detach = onAbort(signal, stop);
    promise.then(settle, reject).finally(detach);
    if (signal.aborted) stop();
  });
}

/** A signal that aborts as soon as one of two does. */
export function joinSignals(first: AbortSignal | undefined, second: AbortSignal | undefined): AbortSignal | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  try {
    return AbortSignal.any([first, second]);
  } catch {
    // A signal of a polyfill.
    const controller = new AbortController();
    for (const signal of [first, second]) {
      if (signal.aborted) controller.abort(signal.reason);
      else onAbort(signal, () => controller.abort(signal.reason));
    }
    return controller.signal;
  }
}
