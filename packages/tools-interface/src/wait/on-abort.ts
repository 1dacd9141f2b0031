type Callback = () => void;

/** What each signal that is listened to calls when it aborts. */
const listening = new WeakMap<AbortSignal, { readonly callbacks: Set<Callback>; readonly listener: Callback }>();

/**
 * Calls back once when a signal aborts. Any number of calls share one listener: Node warns of a leak when one signal,
 * such as that of a whole conversation, gets more than ten.
 *
 * @returns Takes it back.
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
