import { attackCases, plantSecrets, type PlantedSecrets } from "@dispatch/check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { weakSubject } from "./weak-runtime.ts";

/** Every ninth case is tried; the bench tries more. */
const SAMPLE_INTERVAL = 9;

let secrets: PlantedSecrets;
beforeAll(async () => {
  secrets = await plantSecrets();
});
afterAll(() => secrets.close());

describe("attackCases", () => {
  test("have a name each, and are many", () => {
    expect(new Set(attackCases.map(({ topic, name }) => `${topic} ${name}`)).size).toBe(attackCases.length);
    expect(attackCases.reduce((sum, { attempts }) => sum + attempts, 0)).toBeGreaterThanOrEqual(512);
  });

  test("fail for the most part where a program runs with every right", { timeout: 120_000 }, async () => {
    const tried = attackCases.filter((_, at) => at % SAMPLE_INTERVAL === 0);
    let escaped = 0;
    for (const { run } of tried) {
      escaped += await run(weakSubject(secrets), { timeoutMs: 500 }).then(
        () => 0,
        () => 1,
      );
    }
    expect(escaped).toBeGreaterThan(tried.length * 0.6);
  });

  test("tell what the program got", async () => {
    const attack = attackCases.find(
      ({ topic, name }) => topic === "reading" && name === "every way in a function body",
    );
    await expect(attack?.run(weakSubject(secrets))).rejects.toThrow(
      /^WeakRuntime, every way in a function body: expected nothing of the secret to be told, found .*Deno\.readTextFile: /s,
    );
  });
});
