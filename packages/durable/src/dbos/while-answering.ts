import { MAX_SILENCE_MS } from "./while-unreachable.ts";

const LOOK_MS = 1_000;

/** Settles as the promise does, or rejects when it has been the server's turn for too long. */
export function whileAnswering<Result>(promise: Promise<Result>, isServersTurn: () => boolean): Promise<Result> {
  return new Promise((resolve, reject) => {
    let since = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      if (!isServersTurn()) since = now;
      else if (now - since > MAX_SILENCE_MS) reject(new Error(`the server has not answered for ${MAX_SILENCE_MS} ms`));
    }, LOOK_MS);
    promise.then(resolve, reject).finally(() => clearInterval(timer));
  });
}
