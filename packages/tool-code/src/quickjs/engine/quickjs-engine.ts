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

/** The engine could not be loaded: a package is missing. */
export class QuickJsNotFoundError extends Error {
  override readonly name = "QuickJsNotFoundError";
  /** The stable code of this error. */
  readonly code = "quickjs_not_found";
}

/** Loads the engine from the installed packages `quickjs-wasi` and `amaro`. @throws {QuickJsNotFoundError} When one is missing. */
export async function loadQuickJsEngine(): Promise<QuickJsEngine> {
  const { readFile } = await import("node:fs/promises");
  const { createRequire } = await import("node:module");
  const { default: path } = await import("node:path");
  const require = createRequire(import.meta.url);
  const load = async (file: string): Promise<object> =>
    WebAssembly.compile(await readFile(require.resolve(`quickjs-wasi/${file}`)));
  try {
    const [quickjs, encoding, structuredClone, crypto] = await Promise.all([
      load("quickjs.wasm"),
      load("encoding.so"),
      load("structured-clone.so"),
      load("crypto.so"),
    ]);
    // A parser that ran out of its stack stays broken: each engine gets one of its own.
    const { dir } = path.parse(require.resolve("amaro"));
    for (const file of Object.keys(require.cache))
      if (file.startsWith(dir)) Reflect.deleteProperty(require.cache, file);
    const { transformSync } = require("amaro") as { readonly transformSync: StripTypes };
    return { quickjs, encoding, structuredClone, crypto, stripTypes: transformSync };
  } catch (error) {
    throw new QuickJsNotFoundError(
      `Loading QuickJS: ${error instanceof Error ? error.message.split("\n", 1)[0] : String(error)}, needed are the packages quickjs-wasi and amaro`,
    );
  }
}
