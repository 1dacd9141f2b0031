import { expect, test } from "vitest";
import { toLicenses, withBundled, withLicenses } from "./sbom-licenses.ts";

const MIT = [{ license: { id: "MIT" } }];
const sbom = {
  bomFormat: "CycloneDX",
  metadata: { component: { "bom-ref": "pkg:npm/%40tea/kettle@1.0.0" } },
  components: [{ purl: "pkg:npm/water@2.0.0" }, { purl: "pkg:npm/lid@1.0.0", licenses: toLicenses("ISC") }],
  dependencies: [
    { ref: "pkg:npm/%40tea/kettle@1.0.0", dependsOn: ["pkg:npm/water@2.0.0"] },
    { ref: "pkg:npm/water@2.0.0", dependsOn: [] },
  ],
};

test("withBundled() lists bundled packages as dependencies with their licenses, each package once", () => {
  const bundled = [
    { name: "@tea/leaf", version: "3.1.0", license: "MIT" },
    { name: "water", version: "2.0.0", license: "MIT" },
  ];
  const { components, dependencies } = withBundled(sbom, bundled);
  expect(components.slice(0, 2)).toEqual(sbom.components);
  expect(components.slice(2)).toEqual([
    {
      type: "library",
      group: "@tea",
      name: "leaf",
      version: "3.1.0",
      purl: "pkg:npm/%40tea/leaf@3.1.0",
      "bom-ref": "pkg:npm/%40tea/leaf@3.1.0",
      licenses: MIT,
      properties: [{ name: "dispatch:bundled", value: "true" }],
    },
  ]);
  expect(dependencies).toEqual([
    { ref: "pkg:npm/%40tea/kettle@1.0.0", dependsOn: ["pkg:npm/water@2.0.0", "pkg:npm/%40tea/leaf@3.1.0"] },
    { ref: "pkg:npm/water@2.0.0", dependsOn: [] },
    { ref: "pkg:npm/%40tea/leaf@3.1.0", dependsOn: [] },
  ]);
});

test("withLicenses() adds the known license of the same version, and replaces none", () => {
  const known = new Map([
    ["pkg:npm/water@2.0.0", MIT],
    ["pkg:npm/lid@1.0.0", MIT],
    ["pkg:npm/water@1.0.0", toLicenses("ISC")],
  ]);
  expect(withLicenses(sbom, known).components).toEqual([
    { purl: "pkg:npm/water@2.0.0", licenses: MIT },
    { purl: "pkg:npm/lid@1.0.0", licenses: toLicenses("ISC") },
  ]);
});

test("toLicenses() writes one identifier as an id, and several as an expression", () => {
  expect(toLicenses("BSD-3-Clause")).toEqual([{ license: { id: "BSD-3-Clause" } }]);
  expect(toLicenses("(MIT OR Apache-2.0)")).toEqual([{ expression: "(MIT OR Apache-2.0)" }]);
});
