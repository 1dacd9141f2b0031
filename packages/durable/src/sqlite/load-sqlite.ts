import type * as Sqlite from "node:sqlite";
import { DurableError } from "../durable-error.ts";

/**
 * SQLite as Node has it, from 22.13 on. Not imported: the module is not there in older versions and other runtimes, where
 * this file may be part of a bundle.
 *
 * @throws {DurableError} Where there is none.
 */
export function loadSqlite(): typeof Sqlite {
  const builtin = globalThis.process?.getBuiltinModule?.("node:sqlite");
  if (builtin === undefined) {
    const found = globalThis.process?.version ?? "a runtime without Node's modules";
    throw new DurableError(`Cannot keep calls in a file: found ${found}, allowed is Node 22.13 or later`);
  }
  return builtin;
}
