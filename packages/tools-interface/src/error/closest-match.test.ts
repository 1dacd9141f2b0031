import { expect, test } from "vitest";
import { closestMatch } from "./closest-match.ts";

test.each([
  ["startLine", ["end_line", "start_line"], "start_line"],
  ["START-LINE", ["start_line"], "start_line"],
  ["raed", ["read", "write"], "read"],
  ["celcius", ["fahrenheit", "celsius"], "celsius"],
  ["path", ["paths", "oath", "path_"], "path_"],
  ["path", ["hash", "file_path"], "file_path"],
  ["filePath", ["file_hash", "path"], "path"],
  ["path", ["file_path", "link_path"], undefined],
  ["user_id", ["id", "user_ids"], "user_ids"],
  ["__", ["", "--"], ""],
  ["---", ["a", "b"], undefined],
  ["k", ["c", "f"], undefined],
  ["kelvin", ["celsius", "fahrenheit"], undefined],
  ["abcd", ["badc"], undefined],
  ["a".repeat(65), ["a".repeat(64)], undefined],
  ["read", [], undefined],
])("closestMatch() of %j among %j is %j", (word, candidates, near) => {
  expect(closestMatch(word, candidates)).toBe(near);
});
