import { installedFile } from "../../installed-file.ts";
import type { StripTypes } from "./strip-types.ts";

/**
 * The compiled parts of a `QuickJsRuntime`, each but the last a `WebAssembly.Module`. A host without a file system, such as a
 * worker of a cloud, passes them.
 */
export interface QuickJsEngine {
  /** `quickjs-wasi/quickjs.wasm`. */
  readonly quickjs: object;
  /** `quickjs-wasi/encoding.so`: `TextEncoder` and `TextDecoder`. */
  readonly encoding: object;
  /** `quickjs-wasi/structured-clone.so`: `structuredClone`. */
  readonly structuredClone: object;
  /** `quickjs-wasi/crypto.so`: `crypto`. */
  readonly crypto: object;
  /** Removes the types of a program. `transformSync` of `amaro` does. */
  readonly stripTypes: StripTypes;
}

/** The types of Node.js have no `WebAssembly`. */
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: { compile(bytes: Uint8Array): Promise<object> };
};

/**
 * The engine could not be loaded: a package is missing.
 *
 * @example
 * ```ts
 * try {
 *   new QuickJsRuntime();
 * } catch (error) {
 *   if (error instanceof QuickJsNotFoundError) console.error("npm install quickjs-wasi amaro");
 * }
 * ```
 */
export class QuickJsNotFoundError extends Error {
  override readonly name = "QuickJsNotFoundError";
  /** The stable code of this error. */
  readonly code = "quickjs_not_found";
}

const FILES = ["quickjs.wasm", "encoding.so", "structured-clone.so", "crypto.so"] as const;

/** Where the engine is. */
export interface QuickJsFiles {
  /** The compiled parts, in the order of `FILES`. */
  readonly parts: readonly string[];
  readonly amaro: string;
}

/** Finds the installed packages `quickjs-wasi` and `amaro`. @throws {QuickJsNotFoundError} When one is missing. */
export function findQuickJs(): QuickJsFiles {
  return { parts: FILES.map((file) => find(`quickjs-wasi/${file}`)), amaro: findAmaro() };
}

/** Finds the package amaro, which every thread loads anew. @throws {QuickJsNotFoundError} When it is missing. */
export function findAmaro(): string {
  return find("amaro");
}

function find(name: string): string {
  const file = installedFile(name);
  if (file !== undefined) return file;
  throw new QuickJsNotFoundError(
    `Loading QuickJS: ${name} is not installed beside this package or the program that was started, install quickjs-wasi and amaro there, or set loadEngine and threads: false`,
  );
}

/** Loads the engine from the installed packages. @throws {QuickJsNotFoundError} When one is missing. */
export async function loadQuickJsEngine(): Promise<QuickJsEngine> {
  const { parts, amaro } = findQuickJs();
  const { readFile } = process.getBuiltinModule("node:fs/promises");
  const load = async (file: string): Promise<object> => WebAssembly.compile(await readFile(file));
  const [quickjs, encoding, structuredClone, crypto] = (await Promise.all(parts.map(load))) as [
    object,
    object,
    object,
    object,
  ];
  const require = process.getBuiltinModule("node:module").createRequire(amaro);
  // A parser that ran out of its stack stays broken: each engine gets one of its own.
  const directory = amaro.replace(/[^/\\]*$/, "");
  for (const file of Object.keys(require.cache))
    if (file.startsWith(directory)) Reflect.deleteProperty(require.cache, file);
  const { transformSync } = require(amaro) as { readonly transformSync: StripTypes };
  return { quickjs, encoding, structuredClone, crypto, stripTypes: transformSync };
}
