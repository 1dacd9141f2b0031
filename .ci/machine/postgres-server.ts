import { spawnSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
  readFileSync,
} from "node:fs";
import path from "node:path";
import process from "node:process";
import { aptInstall } from "./apt-install.ts";
import { runQuietly } from "./run-quietly.ts";

/** A PostgreSQL server that nobody else uses. */
export interface Server {
  /** `postgres://…` of a user who may do everything. */
  readonly url: string;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

const VERSIONS = "/usr/lib/postgresql";
const CHROOT = process.env["DISPATCH_TEST_CHROOT"] ?? "/opt/dispatch-postgres";
const isRoot = process.getuid?.() === 0;

/** A server of the newest version that is installed, which is installed by apt when there is none. */
export async function startPlain(): Promise<Server> {
  return start("", newest() ?? (aptInstall("postgresql"), needed()));
}

/**
 * A server whose databases may have the extension `vector`: the one that is installed, if there is a package for it, or
 * else that of Debian 13 in a directory of its own, which needs root and about 40 seconds the first time.
 */
export async function startWithVectors(): Promise<Server> {
  const version = newest();
  if (version !== undefined && !hasVectors("", version)) {
    try {
      aptInstall(`postgresql-${version}-pgvector`);
    } catch {
      // Debian 12 has no such package.
    }
  }
  if (version !== undefined && hasVectors("", version)) return start("", version);
  if (!isRoot)
    throw new Error("there is no package of pgvector for it here, and making a directory of another Debian needs root");
  if (!existsSync(path.join(CHROOT, ".ready"))) {
    if (!existsSync("/usr/sbin/debootstrap")) aptInstall("debootstrap");
    const packages = "--include=postgresql-17,postgresql-17-pgvector";
    rmSync(CHROOT, { recursive: true, force: true });
    runQuietly(["debootstrap", "--variant=minbase", packages, "trixie", CHROOT, ...mirror()]);
    writeFileSync(path.join(CHROOT, ".ready"), "");
  }
  return start(CHROOT, "17");
}

function newest(): string | undefined {
  if (!existsSync(VERSIONS)) return undefined;
  const versions = readdirSync(VERSIONS).filter((name) => existsSync(`${VERSIONS}/${name}/bin/initdb`));
  return versions.toSorted((a, b) => Number(b) - Number(a))[0];
}

function needed(): string {
  const version = newest();
  if (version === undefined) throw new Error(`apt installed no server in ${VERSIONS}`);
  return version;
}

function hasVectors(root: string, version: string): boolean {
  return existsSync(`${root}/usr/share/postgresql/${version}/extension/vector.control`);
}

/** The mirror of this machine's own packages, if it can be determined. */
function mirror(): readonly string[] {
  const sources = "/etc/apt/sources.list.d/debian.sources";
  const found = existsSync(sources) ? /^URIs:\s*(\S+)/m.exec(readFileSync(sources, "utf8"))?.[1] : undefined;
  return found === undefined ? [] : [found];
}

/** Starts a server on a socket in a directory of its own, with no port, as a user who is not root: it would refuse. */
async function start(root: string, version: string): Promise<Server> {
  mkdirSync(`${root}/tmp`, { recursive: true });
  const directory = mkdtempSync(`${root}/tmp/pg-`);
  const inside = directory.slice(root.length);
  // Each test database is a thousand files, made and removed. Without the right to mount, they are on the disk.
  const isMounted = isRoot && spawnSync("mount", ["-t", "tmpfs", "tmpfs", directory], { stdio: "ignore" }).status === 0;
  if (isRoot) {
    const entry = readFileSync(`${root}/etc/passwd`, "utf8").match(/^postgres:[^:]*:(\d+):(\d+)/m);
    if (entry === null) throw new Error("there is no user postgres");
    chownSync(directory, Number(entry[1]), Number(entry[2]));
  }
  const enter = root === "" ? [] : ["chroot", root];
  const become = isRoot ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : [];
  const server = (program: string, ...args: string[]): void =>
    runQuietly([...enter, ...become, `${VERSIONS}/${version}/bin/${program}`, "-D", `${inside}/data`, ...args]);
  const stop = async (): Promise<void> => {
    server("pg_ctl", "-m", "immediate", "-w", "stop");
    if (isMounted) runQuietly(["umount", "--lazy", directory]);
    rmSync(directory, { recursive: true, force: true });
  };
  server("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8");
  const memory = "-c dynamic_shared_memory_type=mmap -c shared_buffers=64MB -c max_connections=100";
  // Tests kill their clients, never the server: nothing it wrote has to outlive it.
  const unsafe =
    "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c wal_level=minimal -c max_wal_senders=0";
  const options = `-c listen_addresses= -c unix_socket_directories=${inside} ${memory} ${unsafe}`;
  server("pg_ctl", "-w", "-l", `${inside}/log`, "-o", options, "start");
  return { url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(directory)}`, stop };
}
