import { defineTool } from "@dispatch/tools-interface";
import { expect, test } from "vitest";
import { z } from "zod";
import * as approvals from "./approvals.ts";
import * as policy from "./index.ts";

const tool = defineTool({ name: "act", description: "Acts.", parameters: z.object({}), execute: () => "done" });
const term = { tool, expiresInMs: 1_000, session: "s", agent: "a", by: "ada" };

type Case = readonly [misspelt: string, meant: string, use: (options: object) => unknown];

/** A public function that takes options, or a method of what it makes, with a misspelt option. */
const TAKES_OPTIONS: Readonly<Record<string, Case>> = {
  createPolicy: ["shadows", "shadow", (given) => policy.createPolicy({ rules: [], tools: [], ...given })],
  createStandingGrants: ["onChanged", "onChange", (given) => policy.createStandingGrants(given)],
  "grants.give": ["wen", "when", (given) => policy.createStandingGrants().give({ ...term, ...given })],
  createApprovals: ["expireInMs", "expiresInMs", (given) => approvals.createApprovals(given)],
  createApprovalDesk: ["engin", "engine", (given) => approvals.createApprovalDesk(given)],
  "desk.approver": ["sesion", "session", (given) => approvals.createApprovalDesk().approver(given as never)],
  createApprovalHandler: [
    "authorise",
    "authorize",
    (given) => approvals.createApprovalHandler(approvals.createApprovalDesk(), given as never),
  ],
};

test.each(Object.entries(TAKES_OPTIONS))("%s names the option that was meant", (_, [misspelt, meant, use]) => {
  expect(() => use({ [misspelt]: undefined })).toThrow(`found the option "${misspelt}", did you mean "${meant}"`);
});

test("every public function is among those above", () => {
  const functions = Object.entries({ ...policy, ...approvals }).flatMap(([name, value]) =>
    typeof value === "function" && !((value as { prototype?: unknown }).prototype instanceof Error) ? [name] : [],
  );
  expect(functions.toSorted()).toEqual(
    Object.keys(TAKES_OPTIONS)
      .filter((name) => !name.includes("."))
      .toSorted(),
  );
});
