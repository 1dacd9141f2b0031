import { spawn, spawnSync } from "node:child_process";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Something that a program had the system do, or said. */
export type Operation =
  | { readonly kind: "write"; readonly path: string; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: "truncate"; readonly path: string; readonly length: number }
  | { readonly kind: "sync" | "create" | "remove"; readonly path: string }
  | { readonly kind: "say"; readonly text: string };

const CALLS = "openat,pwrite64,ftruncate,fsync,fdatasync,unlink,unlinkat,write";

/** Whether system calls can be traced on this machine. */
export const canTrace: boolean = spawnSync("strace", ["-e", "trace=none", "true"]).status === 0;

/** Runs a script with arguments, and returns what it did below a directory and what it said, in order. Traces go to `log`. */
export async function traceWrites(
  script: URL,
  args: readonly string[],
  directory: string,
  log: string,
): Promise<readonly Operation[]> {
  const node = [process.execPath, "--conditions=@dispatch/source", fileURLToPath(script), ...args];
  const options = ["-f", "-y", "-xx", "-s", "100000", "-e", `trace=${CALLS}`, "-e", "signal=none", "-o", log];
  const traced = spawn("strace", [...options, ...node], { stdio: ["ignore", "ignore", "inherit"] });
  const code = await new Promise((resolve) => traced.once("close", resolve));
  if (code !== 0) throw new Error(`the traced program ended with ${String(code)}`);
  const operations: Operation[] = [];
  const unfinished = new Map<string, string>();
  for await (const line of createInterface({ input: createReadStream(log, "latin1") })) {
    const [, thread = "", rest = ""] = /^(\d+)\s+(.*)$/u.exec(line) ?? [];
    const begun = /^(.*) <unfinished \.\.\.>$/u.exec(rest)?.[1];
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/u.exec(rest)?.[1];
    if (begun !== undefined) unfinished.set(thread, begun);
    else
      operations.push(
        ...toOperations(resumed === undefined ? rest : (unfinished.get(thread) ?? "") + resumed, directory),
      );
  }
  return operations;
}

function toOperations(call: string, directory: string): readonly Operation[] {
  if (!/ = \d+(?:<.*>)?$/u.test(call)) return [];
  const [, name = "", rest = ""] = /^(\w+)\((.*)\) += \d+/u.exec(call) ?? [];
  const file = toText(/^\d+<([^>]*)>/u.exec(rest)?.[1] ?? "");
  if (name === "write") return rest.startsWith("1<") ? [{ kind: "say", text: toBytes(rest).toString().trim() }] : [];
  const named = name.startsWith("unlink") || name === "openat" ? toBytes(rest).toString() : file;
  if (!named.startsWith(directory)) return [];
  if (name === "openat") return rest.includes("O_CREAT") ? [{ kind: "create", path: named }] : [];
  if (name.startsWith("unlink")) return [{ kind: "remove", path: named }];
  if (name.endsWith("sync")) return [{ kind: "sync", path: file }];
  const last = Number(/, (\d+)$/u.exec(rest)?.[1]);
  if (name === "ftruncate") return [{ kind: "truncate", path: file, length: last }];
  return [{ kind: "write", path: file, offset: last, bytes: toBytes(rest) }];
}

function toBytes(rest: string): Buffer {
  return Buffer.from((/"([^"]*)"/u.exec(rest)?.[1] ?? "").replaceAll("\\x", ""), "hex");
}

function toText(text: string): string {
  return text.startsWith("\\x") ? Buffer.from(text.replaceAll("\\x", ""), "hex").toString() : text;
}
