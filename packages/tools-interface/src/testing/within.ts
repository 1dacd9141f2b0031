/** Something had not settled when it should have. */
export class StillPending extends Error {
  override readonly name = "StillPending";
}

/** What `begin` resolves with. Rejects with `StillPending` when that takes longer than `ms` milliseconds. */
export async function within<T>(ms: number, begin: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StillPending(`it still pending after ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([begin(), late]);
  } finally {
    clearTimeout(timer);
  }
}
