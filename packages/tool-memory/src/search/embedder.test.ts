import { expect, test } from "vitest";
import { embedWithin } from "./embedder.ts";

test("embedWithin() rejects and aborts the signal after the time, though the embedder does not end", async () => {
  let given: AbortSignal | undefined;
  const embedder = {
    id: "slow",
    dimensions: 1,
    embed: (_: readonly string[], { signal }: { readonly signal: AbortSignal }) => {
      given = signal;
      return new Promise<never>(() => undefined);
    },
  };
  await expect(embedWithin(embedder, ["text"], 1)).rejects.toThrow("no vectors after 1 ms");
  await expect.poll(() => given?.aborted).toBe(true);
});
