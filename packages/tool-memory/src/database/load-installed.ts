/**
 * Loads an optional package as this module would import it and, because a bundler may have put this module elsewhere, as the
 * program that was started would. Not imported: a bundler would look for it in every program, also in those that never use it.
 *
 * @throws An `Error` with code `MODULE_NOT_FOUND` when it is not installed, or an error of the package itself.
 */
export function loadInstalled(name: string): unknown {
  const { createRequire } = process.getBuiltinModule("node:module");
  try {
    return createRequire(import.meta.url)(name);
  } catch (error) {
    const [, started] = process.argv;
    if (started === undefined) throw error;
    return createRequire(started)(name);
  }
}
