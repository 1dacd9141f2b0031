import { expect, test } from "vitest";
import { sequenceOf } from "./store-block.ts";

test("sequenceOf() takes archival notes of a directory, and elsewhere labels that differ in their last number, for a series", () => {
  expect(sequenceOf("archival", "log/one")).toBe(sequenceOf("archival", "log/two"));
  expect(sequenceOf("archival", "log/one")).not.toBe(sequenceOf("archival", "other/one"));
  expect(sequenceOf("working", "log/turn-7")).toBe(sequenceOf("working", "log/turn-18"));
  expect(sequenceOf("working", "log/turn-7")).not.toBe(sequenceOf("archival", "log/turn-7"));
  expect(sequenceOf("working", "user/drinks")).toBeNull();
});
