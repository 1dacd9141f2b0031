import { expect, test } from "vitest";
import { FilesError } from "../error/files-error.ts";
import { retryWhileBusy } from "../file-system/work-in-tree.ts";

const unstable = new FilesError("exchanged", { code: "unstable_path" });
/** Fails so often, then answers how often it was asked. */
function failing(times: number, error: Error = unstable) {
  let asked = 0;
  return () => {
    asked += 1;
    if (asked <= times) throw error;
    return asked;
  };
}

test("retryWhileBusy() runs a write once when nobody is in the way", async () => {
  expect(await retryWhileBusy(failing(0), new AbortController().signal)).toBe(1);
});

test("retryWhileBusy() tries again while others keep writing", async () => {
  expect(await retryWhileBusy(failing(5), new AbortController().signal)).toBe(6);
});

test("retryWhileBusy() passes any other error on, and stops when the call is cancelled", async () => {
  const other = new FilesError("no", { code: "text_not_found" });
  await expect(retryWhileBusy(failing(1, other), new AbortController().signal)).rejects.toBe(other);
  await expect(retryWhileBusy(failing(1), AbortSignal.abort())).rejects.toBe(unstable);
});
