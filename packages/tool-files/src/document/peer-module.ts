/** Packages that make more kinds of file readable. A host installs those it wants. */
export type PeerName = "unpdf" | "@silvia-odwyer/photon-node";

const found = new Map<PeerName, string | undefined>();

/**
 * The path of an optional package for a thread to load, or `undefined` where it is not installed. Looked for as this module
 * would import it and as the program that was started would; never from the working directory, where a model may write.
 */
export function peerModule(name: PeerName): string | undefined {
  if (!found.has(name)) found.set(name, find(name, import.meta.url) ?? find(name, process.argv[1]));
  return found.get(name);
}

function find(name: PeerName, from: string | undefined): string | undefined {
  const { createRequire } = process.getBuiltinModule("node:module");
  try {
    return createRequire(from ?? "").resolve(name);
  } catch {
    return undefined;
  }
}

/** Loads a package by the path that {@link peerModule} gave. */
export function loadedPeer(path: string): unknown {
  const { createRequire } = process.getBuiltinModule("node:module");
  return createRequire(path)(path);
}
