import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { HELP } from "../src/options.ts";

const read = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, "..", name), "utf8")) as Record<string, unknown>;
const [entry, manifest] = [read("server.json"), read("package.json")];

interface Argument {
  readonly type: string;
  readonly name: string;
  readonly isSecret?: boolean;
}
interface Package {
  readonly [key: string]: unknown;
  readonly packageArguments: readonly Argument[];
  readonly environmentVariables?: readonly Argument[];
}
const [listed] = entry["packages"] as readonly Package[];

/** The rules of the registry of MCP servers, beside those of its JSON schema, which is not published as a package. */
describe("server.json", () => {
  test("names the package that it is in, as the registry checks it", () => {
    expect(entry["$schema"]).toBe("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json");
    expect(entry["name"]).toBe(manifest["mcpName"]);
    expect(entry["name"]).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(listed).toMatchObject({ registryType: "npm", identifier: manifest["name"], runtimeHint: "npx" });
    expect([entry["version"], listed?.["version"]]).toEqual(["0.0.0", "0.0.0"]);
    for (const text of ["title", "description"]) expect(String(entry[text]).length).toBeLessThanOrEqual(100);
    expect(listed?.["transport"]).toEqual({ type: "stdio" });
  });

  test("holds no field that the schema does not have", () => {
    expect(Object.keys(entry).toSorted()).toEqual(["$schema", "description", "name", "packages", "title", "version"]);
    const known = "environmentVariables identifier packageArguments registryType runtimeHint transport version".split(
      " ",
    );
    expect(known).toEqual(expect.arrayContaining(Object.keys(listed ?? {})));
    for (const argument of listed?.packageArguments ?? []) {
      expect(argument.type).toBe("named");
      expect("default description format isRequired name type".split(" ")).toEqual(
        expect.arrayContaining(Object.keys(argument)),
      );
    }
  });

  test("names options that the program has", () => {
    const named = [...(listed?.packageArguments ?? []), ...(listed?.environmentVariables ?? [])];
    expect(named.length).toBeGreaterThan(0);
    for (const { name } of named) expect(HELP).toContain(name);
  });
});
