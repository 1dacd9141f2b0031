/** A promise that may take no longer than so many milliseconds; then it rejects with an `Error` that says `what` took too long. */
export function withTimeout<T>(pending: PromiseLike<T>, ms: number, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${what} did not settle within ${ms} ms`)), ms);
    Promise.resolve(pending)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
