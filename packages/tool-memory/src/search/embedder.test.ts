import { expect, test } from "vitest";
import { withTimeout } from "./embedder.ts";

test("withTimeout() gives the result of the work, or its error", async () => {
  expect(await withTimeout(60_000, async () => "done")).toBe("done");
  await expect(withTimeout(60_000, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
});

test("withTimeout() rejects and aborts the signal after the time, though the work does not end", async () => {
  let given: AbortSignal | undefined;
  const waiting = withTimeout(1, (signal) => {
    given = signal;
    return new Promise<never>(() => undefined);
  });
  await expect(waiting).rejects.toThrow("no result after 1 ms");
  expect(given?.aborted).toBe(true);
});
