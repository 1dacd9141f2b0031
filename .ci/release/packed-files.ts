interface Packed {
  readonly name: string;
  readonly files: readonly { readonly path: string }[];
}

/**
 * The contents of the tarballs as text: for each package the number of files in each directory, and the other files by
 * name.
 *
 * @param output - Of `pnpm --recursive pack --dry-run --json`, with warnings before it or not.
 */
export function describeTarballs(output: string): string {
  const packages = JSON.parse(output.slice(output.search(/^\[$/m))) as readonly Packed[];
  return packages.map(({ name, files }) => `${name}: ${files.length} files\n${describeFiles(files)}`).join("\n");
}

function describeFiles(files: Packed["files"]): string {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const place = /^[^/]+\//.exec(path)?.[0] ?? path;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([place, count]) => (place.endsWith("/") ? `  ${place} (${count})\n` : `  ${place}\n`))
    .join("");
}
