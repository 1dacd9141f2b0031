import { execFileSync } from "node:child_process";
import pg from "pg";

/**
 * Harms a server while its clients work: ends a random third of their connections, or, with a command that does so,
 * restarts the whole server without a shutdown, as a power cut would.
 *
 * @returns a function that does one of the two, and the number of each so far.
 */
export function disturbPostgres(url: string, restart: string | undefined) {
  const done = { terminated: 0, restarts: 0 };
  const disturb = async (): Promise<void> => {
    try {
      if (restart !== undefined && Math.random() < 0.3) {
        execFileSync("bash", ["-c", restart], { stdio: "ignore" });
        done.restarts += 1;
        return;
      }
      const client = new pg.Client({ connectionString: url });
      client.on("error", () => undefined);
      await client.connect();
      const { rowCount } = await client.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < 0.33",
      );
      done.terminated += rowCount ?? 0;
      await client.end();
    } catch (error) {
      console.log(`Not disturbed: ${(error as Error).message}`);
    }
  };
  return { disturb, done };
}
