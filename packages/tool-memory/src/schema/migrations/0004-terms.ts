/** Passages are found by the package's own search terms: `migrate` rebuilds them from their blocks. */
export const terms: readonly string[] = [`DELETE FROM dispatch_memory.passage`];
