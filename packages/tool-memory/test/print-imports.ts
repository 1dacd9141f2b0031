import { registerHooks } from "node:module";

/** Imports the package and prints what that resolved outside of it, one specifier a line, node's own modules left out. */
const seen = new Set<string>();
registerHooks({
  resolve(specifier, context, next) {
    const bare = !specifier.startsWith(".") && !specifier.startsWith("node:");
    if (bare && context.parentURL?.includes("/tool-memory/")) seen.add(specifier);
    return next(specifier, context);
  },
});
await import("../src/index.ts");
process.stdout.write([...seen].toSorted().join("\n"));
