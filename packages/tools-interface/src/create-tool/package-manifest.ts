import type { JsonValue } from "../json/json-snapshot.ts";

/** Options of a manifest. */
export interface ManifestWishes {
  /** Name of the package. */
  readonly name: string;
  readonly description: string;
  /** A package by itself, or one more of this repository. */
  readonly home: "standalone" | "workspace";
  /** Name of the directory that holds the package: in this repository the name of its tests' project. */
  readonly directory: string;
  /** Version of `@dispatch/tools-interface` that makes it. */
  readonly version: string;
}

const TYPES_AND_CODE = { types: "./dist/index.d.ts", default: "./dist/index.js" };

/** The `package.json` of a tool package: by itself, or as one more package of this repository. */
export function packageManifest(wishes: ManifestWishes): Record<string, JsonValue> {
  const { name, description, home, directory, version } = wishes;
  const exports = { ".": TYPES_AND_CODE, "./package.json": "./package.json" };
  const common = {
    name,
    version: "0.0.0",
    description,
    license: "MIT",
    files: ["dist"],
    type: "module",
    sideEffects: false,
  };
  if (home === "workspace") {
    const source = { "@dispatch/source": "./src/index.ts", ...TYPES_AND_CODE };
    return {
      ...common,
      exports: { ...exports, ".": source },
      publishConfig: { access: "public", provenance: true, exports },
      scripts: {
        build: "rm -rf dist && tsc -p tsconfig.build.json",
        test: `vitest run --root ../.. --project ${directory}`,
      },
      dependencies: { "@dispatch/tools-interface": "workspace:^", zod: "catalog:" },
      devDependencies: { "fast-check": "catalog:", vitest: "catalog:" },
      engines: { node: ">=20.19" },
    };
  }
  return {
    ...common,
    exports,
    scripts: { build: "tsc -p tsconfig.build.json", check: "tsc", test: "vitest run", prepack: "npm run build" },
    dependencies: { "@dispatch/tools-interface": `^${version}`, zod: "^4.2.0" },
    // The next vitest needs Node 22, the package itself does not.
    devDependencies: { "fast-check": "^4.0.0", typescript: ">=5.9.0", vitest: "^4.1.0" },
    engines: { node: ">=20.19" },
  };
}
