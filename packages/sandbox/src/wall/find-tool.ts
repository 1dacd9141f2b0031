import { existsSync } from "node:fs";
import path from "node:path";

const BIN = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/**
 * Path of a tool of the system, wherever `PATH` leads.
 *
 * @throws {Error} When it is not there.
 */
export function findTool(name: string): string {
  const file = BIN.map((directory) => path.join(directory, name)).find((place) => existsSync(place));
  if (file === undefined) throw new Error(`Building a wall: ${name} was not found in /usr/bin or /usr/sbin`);
  return file;
}
