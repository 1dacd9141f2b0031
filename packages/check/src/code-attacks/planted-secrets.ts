import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { closeSync, mkdtempSync, openSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Server as NetServer, Socket as Connection } from "node:net";
import { createServer as createNetServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

/** Things of the host that no program may see, reach or change, and a watch over them. */
export interface PlantedSecrets {
  /** Stands in everything that is planted. A program that outputs it has escaped. */
  readonly value: string;
  /** Real path of a directory that programs are never allowed. Holds `secret.txt`, `.json`, `.ts`, `.js` and `.cjs`. */
  readonly directory: string;
  /** Name of a variable in the environment of this process whose value is the secret. */
  readonly variable: string;
  /** Port of an HTTP server on all addresses of this machine, which answers with the secret; of UDP too. */
  readonly port: number;
  /** Path of a socket in the file system, which answers with the secret. */
  readonly socket: string;
  /** Process id of another process, which has the secret in its environment and its arguments. */
  readonly bystander: number;
  /** A descriptor of this process, open on a file that holds the secret. */
  readonly descriptor: number;
  /** The secrets that programs have reached or changed since the last call; empty if none. */
  violations(): readonly string[];
  /** Removes everything that was planted. */
  close(): Promise<void>;
}

/** Counts signals nobody else minds, and ends when its input does. */
const BYSTANDER = `process.on("SIGWINCH", () => process.stdout.write("signal")); process.stdin.resume(); process.stdin.on("end", () => process.exit()); process.stdout.write("ready");`;

const SOCKET = "s.sock";

/**
 * Plants a file, a variable, a server, a socket and a process. Call `close` in the end.
 *
 * @example
 * ```ts
 * const secrets = await plantSecrets();
 * const subject: AttackSubject = { name: "DenoRuntime", secrets, open: (options) => new DenoRuntime(options) };
 * for (const { run } of attackCases) await run(subject);
 * await secrets.close();
 * ```
 */
export async function plantSecrets(): Promise<PlantedSecrets> {
  const value = `s3cret-${randomBytes(8).toString("hex")}`;
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "planted-")));
  const plant = (): string => plantFiles(directory, value);
  plant();
  const descriptor = openSync(path.join(directory, "secret.txt"), "r");
  const variable = "DISPATCH_ATTACK_SECRET";
  process.env[variable] = value;

  let reached: string[] = [];
  const server = createServer((_request, response) => response.end(value));
  server.on("connection", (connection) => {
    connection.on("error", () => undefined);
    reached.push("a connection to the planted server");
  });
  const port = await listening(server);
  const packets = createSocket("udp4").on("message", () => reached.push("a packet to the planted server"));
  await new Promise<void>((resolve) => packets.bind(port, "0.0.0.0", resolve));
  const socket = path.join(directory, SOCKET);
  const open = new Set<Connection>();
  const sockets = createNetServer((connection) => {
    reached.push("a connection to the planted socket");
    open.add(connection);
    connection
      .on("error", () => undefined)
      .on("close", () => open.delete(connection))
      .end(value);
  });
  await new Promise<void>((resolve) => sockets.listen(socket, resolve));
  const bystander = await started(value, (signal) => reached.push(signal));
  let before = look(directory);

  return {
    value,
    directory,
    variable,
    port,
    socket,
    bystander: bystander.pid ?? 0,
    descriptor,
    violations() {
      const found = reached;
      reached = [];
      if (bystander.exitCode !== null || bystander.signalCode !== null) found.push("the planted process has ended");
      const now = look(directory);
      if (now !== before) {
        found.push(`the planted directory has changed: ${now}`);
        before = plant();
      }
      return found;
    },
    async close() {
      delete process.env[variable];
      bystander.kill("SIGKILL");
      closeSync(descriptor);
      const ended = [closed(server), closed(sockets), closed(packets)];
      // A program that lives on may hold its connection open. None is accepted any more.
      server.closeAllConnections();
      for (const connection of open) connection.destroy();
      await Promise.all(ended);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Makes the planted files, and nothing else but the socket be there. Returns how the directory looks then. */
function plantFiles(directory: string, value: string): string {
  for (const name of readdirSync(directory))
    if (name !== SOCKET) rmSync(path.join(directory, name), { recursive: true });
  const module = `export default ${JSON.stringify(value)};\nexport const secret = ${JSON.stringify(value)};\n`;
  const files = {
    "secret.txt": `${value}\n`,
    "secret.json": JSON.stringify({ secret: value }),
    "secret.ts": module,
    "secret.js": module,
    "secret.cjs": `module.exports = ${JSON.stringify(value)};\n`,
    "jsx-runtime": `export const jsx = () => ${JSON.stringify(value)};\n`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(directory, name), text);
  return look(directory);
}

async function listening(server: Server): Promise<number> {
  // Where there is no IPv6, on IPv4 alone.
  for (const address of ["::", "0.0.0.0"]) {
    const failed = await new Promise<unknown>((resolve) => {
      server.once("error", resolve);
      server.listen(0, address, () => resolve(undefined));
    });
    if (failed === undefined) return (server.address() as AddressInfo).port;
  }
  throw new Error("Planting secrets: no port to listen on was found, needed is one on this machine");
}

async function started(value: string, heard: (what: string) => void): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["-e", BYSTANDER, value], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, SECRET_OF_ANOTHER: value },
  });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  child.stdout.on("data", () => heard("a signal to the planted process"));
  return child;
}

function closed(server: Server | NetServer | Socket): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Names, modes, times, sizes and links of a directory as one text. */
function look(directory: string): string {
  return readdirSync(directory)
    .toSorted()
    .map((name) => {
      const file = path.join(directory, name);
      const { mode, mtimeMs, size, nlink } = statSync(file);
      return `${name} ${mode.toString(8)} ${mtimeMs} ${size} ${nlink}`;
    })
    .join("; ");
}
