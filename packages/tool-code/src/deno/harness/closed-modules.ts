/** A module of Node that is closed to programs, in whole or in part. */
export interface ClosedModule {
  /** Everything it exports by name. */
  readonly names: readonly string[];
  /** The exports that throw when they are used. Default all of them. */
  readonly refused?: readonly string[];
}

const words = (text: string): readonly string[] => text.split(" ");
const INSPECTOR = words("close console DOMStorage Network open Session url waitForDebugger");

/**
 * Exports that would let a program get round this list: compiled code that V8 does not verify, the engine's flags, its
 * heap, its debugger, or influence on module resolution. `node:vm` stays, without code caches.
 */
export const CLOSED_MODULES: Readonly<Record<string, ClosedModule>> = {
  vm: {
    names: words(
      "Module Script SourceTextModule SyntheticModule constants createContext createScript runInContext runInNewContext runInThisContext isContext compileFunction measureMemory",
    ),
    refused: words("measureMemory"),
  },
  v8: {
    names: words(
      "cachedDataVersionTag getHeapCodeStatistics getHeapSnapshot getHeapSpaceStatistics getHeapStatistics queryObjects setFlagsFromString setHeapSnapshotNearHeapLimit startupSnapshot stopCoverage takeCoverage writeHeapSnapshot serialize deserialize GCProfiler Serializer Deserializer DefaultSerializer DefaultDeserializer promiseHooks",
    ),
    refused: words(
      "cachedDataVersionTag getHeapSnapshot queryObjects setFlagsFromString setHeapSnapshotNearHeapLimit startupSnapshot stopCoverage takeCoverage writeHeapSnapshot Serializer Deserializer DefaultSerializer DefaultDeserializer promiseHooks",
    ),
  },
  module: {
    names: words(
      "builtinModules _extensions _cache _pathCache globalPaths _findPath _nodeModulePaths _resolveLookupPaths _load _resolveFilename _preloadModules isBuiltin createRequire findPackageJSON _initPaths syncBuiltinESMExports runMain Module findSourceMap SourceMap stripTypeScriptTypes registerHooks register getBuiltinModule",
    ),
    refused: words("registerHooks register _stat"),
  },
  inspector: { names: INSPECTOR },
  "inspector/promises": { names: INSPECTOR },
  wasi: { names: ["WASI"] },
  trace_events: { names: words("createTracing getEnabledCategories") },
};

/** The address of the default exports of the closed modules, under their names with `_` for `/`. */
export const DEFAULT_EXPORTS = "harness:modules";

/**
 * An import map, as a URL. Named exports of a Node module keep their values even if its default export is changed. So
 * the map replaces each closed module with one that re-exports by name the parts of the default export that the harness
 * kept. Only the module at `DEFAULT_EXPORTS` imports the real ones, and it exposes no more than `require` does.
 */
export function importMapUrl(): string {
  const names = Object.keys(CLOSED_MODULES);
  const addresses = names.map((name) => `node:${name}`);
  const script = (text: string): string => `data:application/javascript,${text}`;
  const defaults = script(
    names
      .map((name) => `export{default as ${inCode(name)}}from"node:${name}";`)
      .join("")
      .replaceAll(" ", "%20"),
  );
  const left = Object.entries(CLOSED_MODULES).map(([name, { names: exported }]) =>
    script(
      `import{${inCode(name)}%20as%20m}from"${DEFAULT_EXPORTS}";export%20default%20m;export%20const{${exported.join()}}=m`,
    ),
  );
  const imports = {
    [DEFAULT_EXPORTS]: defaults,
    ...Object.fromEntries(addresses.map((address, at) => [address, left[at]])),
  };
  const scopes = { [defaults]: Object.fromEntries(addresses.map((address) => [address, address])) };
  return `data:application/json,${encodeURIComponent(JSON.stringify({ imports, scopes }))}`;
}

/** The exports that the harness closes, per module; `null` for all of them. */
export function closedExports(): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(CLOSED_MODULES).map(([name, { refused = null }]) => [inCode(name), refused])),
  );
}

function inCode(name: string): string {
  return name.replace("/", "_");
}
