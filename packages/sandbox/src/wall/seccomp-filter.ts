import { endianness } from "node:os";
import { DENIED_SYSCALLS, JUDGED_SYSCALLS, NETWORK_SYSCALLS } from "./denied-syscalls.ts";

/** One instruction of the kernel's filter machine (`struct sock_filter`). */
type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, operand: number];

/** Load a word of `struct seccomp_data`; compare; test bits; end with a verdict. Constants of `linux/bpf_common.h`. */
const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_ANY_BIT = 0x45;
const KEEP_BITS = 0x54;
const RETURN = 0x06;

/** Offsets in `struct seccomp_data`, little-endian: the low half of each argument. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argument = (index: number): number => 16 + 8 * index;

/** Verdicts of `linux/seccomp.h`. */
const ALLOW = 0x7fff_0000;
const KILL_PROCESS = 0x8000_0000;
const fail = (errno: number): number => 0x0005_0000 | errno;
const EPERM = 1;
const ENOSYS = 38;
const EOPNOTSUPP = 95;
const EAFNOSUPPORT = 97;

/** `AUDIT_ARCH_X86_64` and `AUDIT_ARCH_AARCH64`. */
const ARCHITECTURES: Readonly<Record<string, readonly [column: 0 | 1, audit: number]>> = {
  x64: [0, 0xc000_003e],
  arm64: [1, 0xc000_00b7],
};
/** Numbers from here on are those of x32, a second table of the same calls. */
const X32 = 0x4000_0000;
/** `CLONE_NEWTIME`, `NEWNS`, `NEWCGROUP`, `NEWUTS`, `NEWIPC`, `NEWUSER`, `NEWPID` and `NEWNET`. */
const NEW_NAMESPACE = 0x7e02_0080;
/** `CLONE_FILES` and `CLONE_THREAD`: a thread, with the descriptors of its process. */
const THREAD = 0x1_0400;
/** `CLOSE_RANGE_UNSHARE`: descriptors of its own. */
const OWN_DESCRIPTORS = 2;
/** `F_SETPIPE_SZ`, `F_SETLEASE`, `F_NOTIFY`, `F_OFD_SETLK` and `F_OFD_SETLKW`. */
const DENIED_CONTROLS = [1_031, 1_024, 1_026, 37, 38];
/** With `prctl`: a process that clears it would outlive a host that is killed with its guard. */
const PR_SET_PDEATHSIG = 1;
const SOL_SOCKET = 1;
/** `SO_SNDBUF`, `SO_RCVBUF` and `SO_ZEROCOPY`: memory of the kernel, as much as a program likes. */
const SOCKET_MEMORY = [7, 8, 60];
/** `MAP_SHARED` and `MAP_ANONYMOUS`: memory that stays when its pages are given back. */
const SHARED_NAMELESS = 0x21;
const INTERNET_FAMILIES = [2, 10];
/** `TIOCSTI` types into a terminal, `TIOCLINUX` pastes there. */
const TERMINAL_INPUT = [0x5412, 0x541c];
/** `O_CREAT` and the bit that is `O_TMPFILE` alone. */
const MAKES_FILE = 0x40_0040;
/** The bits that let a file run as its owner or group. */
const SET_ID = 0o6000;

/**
 * A seccomp filter, as `bwrap --seccomp` and `setpriv --seccomp-filter` read it: everything is allowed but the calls in
 * `DENIED_SYSCALLS`, new processes and namespaces, sockets other than IPv4 and IPv6, larger pipes and buffers of sockets, typing
 * into a terminal, making a file set-id, shared memory without a file, leases of files, reserving space of a disk, and outliving the parent.
 * `undefined` for an architecture whose numbers it does not know.
 *
 * @param network Whether the program may open sockets and send messages with them, which could hold descriptors too.
 */
export function seccompFilter(network: boolean, arch: string = process.arch): Uint8Array | undefined {
  const known = ARCHITECTURES[arch];
  if (known === undefined || endianness() !== "LE") return undefined;
  const [column, audit] = known;
  const number = (name: keyof typeof JUDGED_SYSCALLS): number | undefined => JUDGED_SYSCALLS[name][column];
  const denied = Object.values({ ...DENIED_SYSCALLS, ...(network ? {} : NETWORK_SYSCALLS) }).flatMap(
    (numbers) => numbers[column] ?? [],
  );
  return encode([
    [LOAD, 0, 0, ARCHITECTURE],
    [IF_EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, NUMBER],
    ...(column === 0 ? when([IF_AT_LEAST, X32], [[RETURN, 0, 0, fail(EPERM)]]) : []),
    ...denied.flatMap((call) => when([IF_EQUAL, call], [[RETURN, 0, 0, fail(EPERM)]])),
    // Its flags are in memory, which a filter cannot read. The C library then uses `clone`.
    ...judged(number("clone3"), [[RETURN, 0, 0, fail(ENOSYS)]]),
    ...judged(number("mmap"), [
      [LOAD, 0, 0, argument(3)],
      [KEEP_BITS, 0, 0, SHARED_NAMELESS],
      ...when([IF_EQUAL, SHARED_NAMELESS], [[RETURN, 0, 0, fail(EPERM)]]),
      [RETURN, 0, 0, ALLOW],
    ]),
    // Takes space that is not written. Callers then write it.
    ...judged(number("fallocate"), [[RETURN, 0, 0, fail(EOPNOTSUPP)]]),
    // There is one process, so that one table holds all descriptors.
    ...judged(number("clone"), [
      [LOAD, 0, 0, argument(0)],
      ...when([IF_ANY_BIT, NEW_NAMESPACE], [[RETURN, 0, 0, fail(EPERM)]]),
      [KEEP_BITS, 0, 0, THREAD],
      ...when([IF_EQUAL, THREAD], [[RETURN, 0, 0, ALLOW]]),
      [RETURN, 0, 0, fail(EPERM)],
    ]),
    ...judged(number("close_range"), refuseBits(2, OWN_DESCRIPTORS)),
    ...judged(number("fcntl"), [
      [LOAD, 0, 0, argument(1)],
      ...DENIED_CONTROLS.flatMap((control) => when([IF_EQUAL, control], [[RETURN, 0, 0, fail(EPERM)]])),
      [RETURN, 0, 0, ALLOW],
    ]),
    ...judged(number("prctl"), [
      [LOAD, 0, 0, argument(0)],
      ...when([IF_EQUAL, PR_SET_PDEATHSIG], [[RETURN, 0, 0, fail(EPERM)]]),
      [RETURN, 0, 0, ALLOW],
    ]),
    ...judged(number("setsockopt"), [
      [LOAD, 0, 0, argument(1)],
      [IF_EQUAL, 1, 0, SOL_SOCKET],
      [RETURN, 0, 0, ALLOW],
      [LOAD, 0, 0, argument(2)],
      ...SOCKET_MEMORY.flatMap((option) => when([IF_EQUAL, option], [[RETURN, 0, 0, fail(EPERM)]])),
      [RETURN, 0, 0, ALLOW],
    ]),
    ...judged(number("socket"), [
      [LOAD, 0, 0, argument(0)],
      ...INTERNET_FAMILIES.flatMap((family) => when([IF_EQUAL, family], [[RETURN, 0, 0, ALLOW]])),
      [RETURN, 0, 0, fail(EAFNOSUPPORT)],
    ]),
    ...judged(number("ioctl"), [
      [LOAD, 0, 0, argument(1)],
      ...TERMINAL_INPUT.flatMap((request) => when([IF_EQUAL, request], [[RETURN, 0, 0, fail(EPERM)]])),
      [RETURN, 0, 0, ALLOW],
    ]),
    ...judged(number("chmod"), refuseBits(1, SET_ID)),
    ...judged(number("fchmod"), refuseBits(1, SET_ID)),
    ...judged(number("fchmodat"), refuseBits(2, SET_ID)),
    ...judged(number("fchmodat2"), refuseBits(2, SET_ID)),
    ...judged(number("creat"), refuseBits(1, SET_ID)),
    ...judged(number("open"), refuseSetIdFile(1)),
    ...judged(number("openat"), refuseSetIdFile(2)),
    // Its mode is in memory. Callers then use `openat`.
    ...judged(number("openat2"), [[RETURN, 0, 0, fail(ENOSYS)]]),
    [RETURN, 0, 0, ALLOW],
  ]);
}

/**
 * The filters for this machine: for programs that may reach no host, and for those that may.
 *
 * @throws {Error} When the numbers of its system calls are not known.
 */
export function seccompFilters(): readonly [alone: Uint8Array, connected: Uint8Array] {
  const [alone, connected] = [seccompFilter(false), seccompFilter(true)];
  if (alone === undefined || connected === undefined)
    throw new Error("Filtering system calls: the numbers are known for x64 and arm64 only");
  return [alone, connected];
}

/** Runs `then` for one call, which ends with a verdict. */
function judged(call: number | undefined, then: readonly Instruction[]): readonly Instruction[] {
  return call === undefined ? [] : when([IF_EQUAL, call], then);
}

function when([code, operand]: readonly [number, number], then: readonly Instruction[]): readonly Instruction[] {
  return [[code, 0, then.length, operand], ...then];
}

function refuseBits(index: number, bits: number): readonly Instruction[] {
  return [
    [LOAD, 0, 0, argument(index)],
    ...when([IF_ANY_BIT, bits], [[RETURN, 0, 0, fail(EPERM)]]),
    [RETURN, 0, 0, ALLOW],
  ];
}

/** The mode after the flags counts only where the flags make a file. */
function refuseSetIdFile(flags: number): readonly Instruction[] {
  return [
    [LOAD, 0, 0, argument(flags)],
    ...when([IF_ANY_BIT, MAKES_FILE], refuseBits(flags + 1, SET_ID)),
    [RETURN, 0, 0, ALLOW],
  ];
}

function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, [code, whenTrue, whenFalse, operand]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(whenTrue, at * 8 + 2);
    bytes.writeUInt8(whenFalse, at * 8 + 3);
    bytes.writeUInt32LE(operand, at * 8 + 4);
  }
  return bytes;
}
