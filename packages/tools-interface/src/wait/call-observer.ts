/** Calls an observer and ignores its errors, thrown or rejected. */
export function callObserver(observe: () => unknown): void {
  try {
    const returned = observe();
    if (returned instanceof Promise) returned.catch(() => {});
  } catch {
    // An error of an observer must not change the call.
  }
}
