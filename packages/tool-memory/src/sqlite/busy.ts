/** SQLite's result code for a database that another process has locked. */
export const BUSY = 5;
const LOCKED = 6;

/** Whether an error of SQLite says that the database is locked for now. */
export function isBusy(error: unknown): boolean {
  const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
  return code === BUSY || code === LOCKED;
}
