import { attackCases, plantSecrets, type PlantedSecrets } from "@dispatch/check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { quickJsSubject } from "./quickjs-subject.ts";

let secrets: PlantedSecrets;
let subject: ReturnType<typeof quickJsSubject>;
beforeAll(async () => {
  secrets = await plantSecrets();
  subject = quickJsSubject(secrets);
});
afterAll(async () => {
  await subject.close();
  await secrets.close();
});

describe("a program in QuickJS gets nowhere by", () => {
  test.each(attackCases)("$topic: $name", ({ run }) => expect(run(subject)).resolves.toBeUndefined());
});
