import type { BundledPackage } from "../build/bundled-licenses.ts";

/** A CycloneDX list of components, as far as it is read and written here. */
export interface Sbom {
  readonly metadata: { readonly component: { readonly "bom-ref": string } };
  readonly components: readonly Component[];
  readonly dependencies: readonly Dependencies[];
}

/** One package in the list. */
export interface Component {
  readonly purl: string;
  readonly licenses?: readonly License[];
}

/** One of CycloneDX's two forms. */
export type License = { readonly license: { readonly id: string } } | { readonly expression: string };

interface Dependencies {
  readonly ref: string;
  readonly dependsOn: readonly string[];
}

/** Adds the packages whose code is part of the listed package's files, as its direct dependencies. */
export function withBundled<T extends Sbom>(sbom: T, bundled: readonly BundledPackage[]): T {
  const listed = new Set(sbom.components.map(({ purl }) => purl));
  const added = bundled.map(toComponent).filter(({ purl }) => !listed.has(purl));
  const root = sbom.metadata.component["bom-ref"];
  const refs = added.map(({ purl }) => purl);
  return {
    ...sbom,
    components: [...sbom.components, ...added],
    dependencies: [
      ...sbom.dependencies.map((one) => (one.ref === root ? { ...one, dependsOn: [...one.dependsOn, ...refs] } : one)),
      ...refs.map((ref) => ({ ref, dependsOn: [] })),
    ],
  };
}

/** Gives each component without a license the one that is known for its package and version. */
export function withLicenses<T extends Sbom>(sbom: T, known: ReadonlyMap<string, readonly License[]>): T {
  const components = sbom.components.map((one) => {
    const licenses = one.licenses ?? known.get(one.purl);
    return licenses === undefined ? one : { ...one, licenses };
  });
  return { ...sbom, components };
}

/** CycloneDX's form of a manifest's `license`. */
export function toLicenses(license: string): readonly License[] {
  return [/^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license }];
}

function toComponent({ name, version, license }: BundledPackage) {
  const [scope, rest] = name.startsWith("@") ? name.split("/") : [undefined, name];
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const group = scope === undefined ? {} : { group: scope };
  return {
    type: "library",
    name: rest,
    version,
    purl,
    "bom-ref": purl,
    ...group,
    licenses: toLicenses(license),
    properties: [{ name: "dispatch:bundled", value: "true" }],
  };
}
