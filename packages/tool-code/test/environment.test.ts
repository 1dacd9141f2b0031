import { describe, expect, test } from "vitest";
import { sandbox } from "./sandbox.ts";

const run = sandbox();

describe("a program finds nothing of the host", () => {
  test("in what it can ask for", async () => {
    const outcome = await run(
      "[Deno.args, Deno.cwd(), Deno.execPath(), typeof localStorage, typeof caches, typeof Worker, typeof navigator.gpu, Deno.noColor]",
    );
    expect(outcome.value).toEqual([[], "/", "deno", "undefined", "undefined", "undefined", "undefined", true]);
  });
});
