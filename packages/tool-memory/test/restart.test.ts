import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openMemoryStore } from "../src/memory/open-memory.ts";

const VERSIONS = "/usr/lib/postgresql";
const programs = (existsSync(VERSIONS) ? readdirSync(VERSIONS) : [])
  .toSorted((a, b) => Number(b) - Number(a))
  .map((version) => join(VERSIONS, version, "bin"))
  .find((directory) => existsSync(join(directory, "initdb")));

/** A server of this file's own: it is restarted under load. */
describe("a server that is restarted", () => {
  const why = "no PostgreSQL is installed";
  let directory: string;
  const control = (program: string, ...args: readonly string[]): void => {
    const become =
      process.getuid?.() === 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : [];
    const [command = "", ...rest] = [...become, join(programs ?? "", program), "-D", join(directory, "data"), ...args];
    const { status, stderr } = spawnSync(command, rest, { stdio: ["ignore", "ignore", "pipe"], encoding: "utf8" });
    if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
  };
  const start = (): void => {
    const options = `-c listen_addresses= -c unix_socket_directories=${directory} -c fsync=off`;
    control("pg_ctl", "-w", "-l", join(directory, "log"), "-o", options, "start");
  };
  const stop = (mode: string): void => control("pg_ctl", "-m", mode, "-w", "stop");

  beforeAll(() => {
    if (programs === undefined) return;
    directory = mkdtempSync(join(tmpdir(), "restart-"));
    if (process.getuid?.() === 0) {
      const [, user, group] = /^postgres:[^:]*:(\d+):(\d+)/m.exec(readFileSync("/etc/passwd", "utf8")) ?? [];
      chownSync(directory, Number(user), Number(group));
    }
    control("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8");
    start();
  }, 60_000);
  afterAll(() => {
    if (programs === undefined) return;
    stop("immediate");
    rmSync(directory, { recursive: true });
  });
  const open = () => openMemoryStore(`postgres://postgres@localhost/postgres?host=${encodeURIComponent(directory)}`);

  test.for(["fast", "immediate"])(
    "%s: every read answers, every write is made once, but for those whose commit had no answer",
    { timeout: 60_000 },
    async (mode, { skip }) => {
      skip(programs === undefined, why);
      const store = await open();
      const owners = Array.from({ length: 20 }, (_, n) => store.owner(`${mode} ${n}`));
      await Promise.all(owners.map(({ manager }) => manager.write({ label: "first", content: "tea" })));
      let done = 0;
      const operate = async (n: number): Promise<string> => {
        const { manager } = owners[n % owners.length]!;
        try {
          if (n % 3 === 0) await manager.search("tea");
          else await manager.write({ label: `note ${n}`, content: `number ${n}` });
          return "done";
        } catch (error) {
          if (String(error).includes("Cannot say whether the memory was changed")) return "in doubt";
          throw error;
        } finally {
          done += 1;
        }
      };
      const operations = Array.from({ length: 600 }, (_, n) => operate(n));
      await expect.poll(() => done, { interval: 5 }).toBeGreaterThan(60);
      stop(mode);
      start();
      const outcomes = await Promise.all(operations);
      const doubtful = outcomes.flatMap((outcome, n) => (outcome === "in doubt" ? [n] : []));
      // A connection carries one commit at a time.
      expect(doubtful.length).toBeLessThanOrEqual(10);
      expect(doubtful.filter((n) => n % 3 === 0)).toEqual([]);
      for (const [at, { manager, admin }] of owners.entries()) {
        const labels = (await manager.list()).map(({ label }) => label);
        const events = (await admin.history(undefined, { limit: 1_000 })).map(({ label }) => label);
        expect(events.toSorted()).toEqual(labels.toSorted());
        for (let n = at; n < outcomes.length; n += owners.length)
          if (n % 3 !== 0 && outcomes[n] === "done") expect(labels).toContain(`note ${n}`);
        expect(await admin.verify()).toMatchObject({ ok: true });
      }
      await store.close();
    },
  );

  test("a server that stays away ends operations with an error that says that nothing was changed", async ({
    skip,
  }) => {
    skip(programs === undefined, why);
    const store = await open();
    const { manager } = store.owner("away");
    await manager.write({ label: "first", content: "tea" });
    stop("fast");
    try {
      const outcomes = await Promise.allSettled([
        ...Array.from({ length: 50 }, () => manager.search("tea")),
        ...Array.from({ length: 50 }, (_, n) => manager.write({ label: `note ${n}`, content: "tea" })),
      ]);
      for (const outcome of outcomes)
        expect(outcome).toMatchObject({
          status: "rejected",
          reason: { code: "memory_connection", message: expect.stringContaining("nothing was changed") },
        });
    } finally {
      start();
    }
    expect(await manager.list()).toHaveLength(1);
    await store.close();
  }, 60_000);
});
