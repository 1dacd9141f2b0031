import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { isBusy } from "./busy.ts";

/** Checks a file that no process closed and none has open: after a crash of the machine it may be damaged. */
export function checkUnclean(file: string): void {
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // Granted only while no other process has the file open.
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    const row = database.prepare("PRAGMA quick_check(1)").get();
    if (row?.["quick_check"] !== "ok")
      throw Object.assign(new Error(String(row?.["quick_check"])), { code: "damaged" });
  } catch (error) {
    if (!isBusy(error)) throw error;
  } finally {
    database.close();
  }
}
