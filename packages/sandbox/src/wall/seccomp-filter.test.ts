import { describe, expect, test } from "vitest";
import { seccompFilter } from "./seccomp-filter.ts";

const ALLOW = 0x7fff_0000;
const KILL = 0x8000_0000;
const EPERM = 0x0005_0001;
const ENOSYS = 0x0005_0026;
const EAFNOSUPPORT = 0x0005_0061;
const AUDIT = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const;

/** Runs a filter as the kernel does, on a call. */
function verdict(
  arch: "x64" | "arm64",
  call: number,
  args: readonly number[] = [],
  { audit = AUDIT[arch], network = true }: { readonly audit?: number; readonly network?: boolean } = {},
): number {
  const bytes = Buffer.from(seccompFilter(network, arch) ?? []);
  const words = [call, audit, 0, 0, ...args.flatMap((value) => [value, 0])];
  let loaded = 0;
  for (let at = 0; ; at += 1) {
    const [code, operand] = [bytes.readUInt16LE(at * 8), bytes.readUInt32LE(at * 8 + 4)];
    if (code === 0x06) return operand;
    if (code === 0x20) {
      loaded = words[operand / 4] ?? 0;
      continue;
    }
    if (code === 0x54) {
      loaded &= operand;
      continue;
    }
    const holds =
      code === 0x15
        ? loaded === operand
        : code === 0x35
          ? loaded >= operand
          : (loaded & operand) !== 0 && code === 0x45;
    at += bytes.readUInt8(at * 8 + (holds ? 2 : 3));
  }
}

describe("seccompFilter()", () => {
  test.each([
    ["reads", "x64", 0, [3], ALLOW],
    ["starts a thread", "x64", 56, [0x3d_0f00], ALLOW],
    ["makes a user namespace", "x64", 56, [0x1000_0011], EPERM],
    ["starts a process", "x64", 57, [], EPERM],
    ["starts a process by clone", "x64", 56, [0x11], EPERM],
    ["starts a thread with descriptors of its own", "x64", 56, [0x3d_0b00], EPERM],
    ["takes descriptors of its own", "x64", 436, [3, 100, 2], EPERM],
    ["closes descriptors", "x64", 436, [3, 100, 4], ALLOW],
    ["makes a pipe larger", "x64", 72, [3, 1_031, 1 << 20], EPERM],
    ["watches files", "x64", 294, [], EPERM],
    ["locks a whole file", "x64", 73, [3, 2], EPERM],
    ["takes a lease of a file", "x64", 72, [3, 1_024, 0], EPERM],
    ["watches a directory by signals", "x64", 72, [3, 1_026, 2], EPERM],
    ["locks a part of a file, as a database does", "x64", 72, [3, 6], ALLOW],
    ["watches files", "arm64", 26, [], EPERM],
    ["asks for the flags of a descriptor", "x64", 72, [3, 1], ALLOW],
    ["makes a buffer larger", "x64", 54, [3, 1, 7], EPERM],
    ["sends without copying", "x64", 54, [3, 1, 60], EPERM],
    ["sends without delay", "x64", 54, [3, 6, 1], ALLOW],
    ["puts its pages into a pipe", "x64", 278, [], EPERM],
    ["shares memory without a file", "x64", 9, [0, 4096, 3, 0x21], EPERM],
    ["takes memory", "x64", 9, [0, 4096, 3, 0x22], ALLOW],
    ["makes a mount namespace by clone3", "x64", 435, [], ENOSYS],
    ["unshares", "x64", 272, [0x1000_0000], EPERM],
    ["mounts", "x64", 165, [], EPERM],
    ["asks not to end with its parent", "x64", 157, [1, 0], EPERM],
    ["asks not to end with its parent", "arm64", 167, [1, 0], EPERM],
    ["names its thread", "x64", 157, [15], ALLOW],
    ["reads a key", "x64", 250, [11], EPERM],
    ["sets up io_uring", "x64", 425, [], EPERM],
    ["takes contexts of asynchronous input and output", "x64", 206, [60_000], EPERM],
    ["takes contexts of asynchronous input and output", "arm64", 0, [60_000], EPERM],
    ["opens a tree with attributes", "x64", 467, [], EPERM],
    ["opens an IPv4 socket", "x64", 41, [2, 1], ALLOW],
    ["opens an IPv6 socket", "x64", 41, [10, 1], ALLOW],
    ["opens a UNIX socket", "x64", 41, [1, 1], EAFNOSUPPORT],
    ["opens a netlink socket", "x64", 41, [16, 3], EAFNOSUPPORT],
    ["connects", "x64", 42, [], ALLOW],
    ["binds an address", "x64", 49, [], EPERM],
    ["listens", "x64", 50, [], EPERM],
    ["types into a terminal", "x64", 16, [0, 0x5412], EPERM],
    ["asks a terminal for its size", "x64", 16, [0, 0x5413], ALLOW],
    ["makes a file set-user-id", "x64", 90, [0, 0o4755], EPERM],
    ["changes a mode", "x64", 90, [0, 0o755], ALLOW],
    ["makes a new file set-group-id", "x64", 257, [0, 0, 0x41, 0o2755], EPERM],
    ["makes a new file", "x64", 257, [0, 0, 0x41, 0o644], ALLOW],
    ["opens a file, with rubbish for a mode", "x64", 257, [0, 0, 0, 0o7777], ALLOW],
    ["makes a nameless file set-user-id", "x64", 2, [0, 0x41_0002, 0o4755], EPERM],
    ["calls by the numbers of x32", "x64", 0x4000_0000, [], EPERM],
    ["reads", "arm64", 63, [3], ALLOW],
    ["traces", "arm64", 117, [], EPERM],
    ["makes a user namespace", "arm64", 220, [0x1000_0011], EPERM],
    ["opens a UNIX socket", "arm64", 198, [1], EAFNOSUPPORT],
    ["makes a new file set-user-id", "arm64", 56, [0, 0, 0x40, 0o4755], EPERM],
  ] as const)("answers a program that %s on %s", (_, arch, call, args, expected) => {
    expect(verdict(arch, call, args)).toBe(expected);
  });

  test.each([
    ["opens an IPv4 socket", 41, [2, 1]],
    ["connects", 42, []],
    ["sends a message", 46, []],
  ])("denies a program that may reach no host and %s", (_, call, args) => {
    expect(verdict("x64", call, args, { network: false })).toBe(EPERM);
  });

  test("ends a program that calls by the numbers of another architecture", () => {
    expect(verdict("x64", 0, [], { audit: 0x4000_0003 })).toBe(KILL);
  });

  test("is not there for an architecture whose numbers it does not know", () => {
    expect(seccompFilter(true, "riscv64")).toBeUndefined();
  });
});
