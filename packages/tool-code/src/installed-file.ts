/**
 * Absolute path of a file of an installed package, `undefined` when there is none. Looked for as this module would import it
 * and, because a bundler may have put this module elsewhere, as the program that was started would. Never from the working
 * directory: a program of a model may write there.
 */
export function installedFile(name: string): string | undefined {
  for (const from of [() => import.meta.url, () => process.argv[1] ?? ""]) {
    try {
      // Not imported, so that no bundler resolves the name at build time.
      return process.getBuiltinModule("node:module").createRequire(from()).resolve(name);
    } catch {
      // The next place may have it.
    }
  }
  return undefined;
}
