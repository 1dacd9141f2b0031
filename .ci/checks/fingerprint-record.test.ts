import { describe, expect, test } from "vitest";
import { changedTools, recordFingerprints } from "./fingerprint-record.ts";

const record = { "@dispatch/kettle": { boil: { fingerprint: "1", changeset: "first" } } };

describe("changedTools()", () => {
  test("finds none when nothing changed", () => {
    expect(changedTools(record, { "@dispatch/kettle": { boil: "1" } })).toEqual([]);
  });

  test("finds a changed, a new and a removed tool", () => {
    expect(changedTools(record, { "@dispatch/kettle": { boil: "2", cool: "1" } })).toEqual([
      ["@dispatch/kettle", "boil"],
      ["@dispatch/kettle", "cool"],
    ]);
    expect(changedTools(record, {})).toEqual([["@dispatch/kettle", "boil"]]);
  });
});

describe("recordFingerprints()", () => {
  const now = { "@dispatch/kettle": { boil: "1", cool: "1" } };

  test("names the changeset for each tool that changed, and keeps the others", () => {
    expect(recordFingerprints(record, now, "cooler", '"@dispatch/kettle": minor')).toEqual({
      "@dispatch/kettle": {
        boil: { fingerprint: "1", changeset: "first" },
        cool: { fingerprint: "1", changeset: "cooler" },
      },
    });
  });

  test("refuses a changeset of another package", () => {
    expect(() => recordFingerprints(record, now, "cooler", '"@dispatch/stove": minor')).toThrow(/does not name/);
  });
});
