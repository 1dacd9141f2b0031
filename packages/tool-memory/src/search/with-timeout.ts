/**
 * Runs `work` for at most `timeoutMs`. After that time the promise rejects and the signal aborts, whether or not `work` heeds
 * the signal.
 *
 * @param options.ref whether the timer keeps the process alive. Default true.
 */
export async function withTimeout<Result>(
  timeoutMs: number,
  work: (signal: AbortSignal) => PromiseLike<Result>,
  { ref = true }: { readonly ref?: boolean } = {},
): Promise<Result> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`Cannot wait any longer: no result after ${timeoutMs} ms`);
      controller.abort(error);
      reject(error);
    }, timeoutMs);
    if (!ref) timer.unref();
  });
  try {
    return await Promise.race([work(controller.signal), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
