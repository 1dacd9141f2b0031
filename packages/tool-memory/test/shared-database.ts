import type { Database } from "../src/database/database.ts";
import { sqlite, withoutClose } from "./engines.ts";
import { useEngine } from "./use-engine.ts";

let opening: Promise<Database> | undefined;

/** {@link useEngine} with one embedded database for all tests of a process, which ends with it. */
export function useSharedDatabase() {
  return useEngine({
    name: sqlite.name,
    open: async () => withoutClose(await (opening ??= sqlite.open())),
  });
}
