let found: Promise<string | undefined> | undefined;

/** The ripgrep that was installed with this package, or `undefined` where there is none for this platform. */
export function ripgrepProgram(): Promise<string | undefined> {
  found ??= import("@vscode/ripgrep").then(
    ({ rgPath }) => rgPath,
    () => undefined,
  );
  return found;
}
