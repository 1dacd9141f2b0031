import { expect, test } from "vitest";
import { forgottenCommands } from "./check-changesets.ts";

const command = { name: "command", devDependencies: { tool: "workspace:^", vitest: "catalog:" } };
const released = (name: string) => ({ name, oldVersion: "1.0.0", newVersion: "1.0.1" });
const same = (name: string) => ({ name, oldVersion: "1.0.0", newVersion: "1.0.0" });

test.each([
  ["a tool alone", [released("tool"), same("command")], ["tool"]],
  ["a tool and the command", [released("tool"), released("command")], []],
  ["the command alone", [released("command"), same("tool")], []],
  ["a package that it does not hold", [released("other")], []],
])("forgottenCommands() of a release of %s", (_, releases, named) => {
  const forgotten = forgottenCommands(releases, [command]);
  expect(forgotten).toHaveLength(named.length);
  for (const [index, name] of named.entries()) expect(forgotten[index]).toContain(`${name} without command`);
});
