import { attackCases, plantSecrets, type AttackCase, type PlantedSecrets } from "@dispatch/check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { denoSubject } from "./deno-subject.ts";

/** Declares a test for every attack that is about one of these. */
export function tryAttacks(topics: readonly string[]): void {
  let secrets: PlantedSecrets;
  const assertHeld = (run: AttackCase["run"]): Promise<void> => run(denoSubject(secrets));
  beforeAll(async () => {
    secrets = await plantSecrets();
  });
  afterAll(() => secrets.close());

  describe.each(topics)("a program gets nowhere by an attack on %s", (topic) => {
    const cases = attackCases.filter((attack) => attack.topic === topic);
    test("of which there are some", () =>
      expect(cases.reduce((sum, { attempts }) => sum + attempts, 0)).toBeGreaterThan(5));
    test.each(cases)("$name", ({ run }) => assertHeld(run));
  });
}
