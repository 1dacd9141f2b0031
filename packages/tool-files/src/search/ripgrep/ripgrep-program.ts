let found: { readonly program: string | undefined } | undefined;

/**
 * The ripgrep that was installed with this package, or `undefined` where there is none. Looked for as this module would import
 * it and, because a bundler may have put this module elsewhere, as the program that was started would; never from the working
 * directory, where a model may write. Not imported: a bundler would take the program for a module.
 */
export function ripgrepProgram(): string | undefined {
  found ??= { program: find(import.meta.url) ?? find(process.argv[1]) };
  return found.program;
}

function find(from: string | undefined): string | undefined {
  const { createRequire } = process.getBuiltinModule("node:module");
  try {
    // The programs are dependencies of this package, one for each platform.
    const installed = createRequire(createRequire(from ?? "").resolve("@vscode/ripgrep"));
    const name = process.platform === "win32" ? "rg.exe" : "rg";
    return installed.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`);
  } catch {
    return undefined;
  }
}
