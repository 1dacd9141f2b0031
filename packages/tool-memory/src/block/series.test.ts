import { expect, test } from "vitest";
import { seriesOf } from "./series.ts";

test("seriesOf() takes archival notes of a folder, and elsewhere labels that differ in their last number, for a series", () => {
  expect(seriesOf("archival", "log/one")).toBe(seriesOf("archival", "log/two"));
  expect(seriesOf("archival", "log/one")).not.toBe(seriesOf("archival", "other/one"));
  expect(seriesOf("working", "log/turn-7")).toBe(seriesOf("working", "log/turn-18"));
  expect(seriesOf("working", "log/turn-7")).not.toBe(seriesOf("archival", "log/turn-7"));
  expect(seriesOf("working", "user/drinks")).toBeNull();
});
