/** Tells an observer something. Its faults stay its own: what it throws, and what it rejects with later. */
export function callObserver(observe: () => unknown): void {
  try {
    const heard = observe();
    if (heard instanceof Promise) heard.catch(() => {});
  } catch {
    // An observer must not change what happens to a call.
  }
}
