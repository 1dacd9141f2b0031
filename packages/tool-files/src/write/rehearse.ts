/** Given as a check of a change, ends it just before it takes place. */
export function stopHere(): never {
  throw REHEARSED;
}

/** Does something with {@link stopHere} as its check: all that it looks at and asks for, and no change. */
export function rehearse(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (error !== REHEARSED) throw error;
  }
}

const REHEARSED = new Error("stopped before the change");
