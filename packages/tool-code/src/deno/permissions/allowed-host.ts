import { BlockList, isIPv4, isIPv6 } from "node:net";
import { LOCAL_NETWORKS } from "@dispatch/tools-interface/internal";

/**
 * IPv6 addresses that lead into the host or its network: this host, and the metadata services of clouds. Deno can deny single IPv6 addresses
 * but no range of them; `deno-command.ts` therefore keeps names from resolving to IPv6 where it can.
 */
const PRIVATE_ADDRESSES: readonly string[] = [
  "::",
  "::1",
  "fd00:ec2::254",
  "fd20:ce::254",
  "fd00:42::42",
  // The metadata services behind a translator (RFC 6052). Deno reads a mapped address, `::ffff:…`, as the IPv4 one.
  ...["169.254.169.254", "169.254.170.2", "100.100.100.200"].map((address) => `64:ff9b::${address}`),
];

const NAME = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** A last label that is a number, which makes the URL standard read the host as an IPv4 address. */
const ENDS_IN_NUMBER = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/;

/** Deno's network permissions. */
export interface NetworkAccess {
  readonly allow: readonly string[];
  /** Addresses it may not reach, even through a name that resolves to one. */
  readonly deny: readonly string[];
}

/**
 * Checks the hosts a caller allows and derives the addresses to deny beside them. Names never reach a local network, even if
 * they resolve to one; an allowed address inside a network opens that network.
 *
 * @throws {TypeError} When a host is not a name or an address, each with an optional port. Commas, spaces, wildcards,
 * schemes and paths are refused: in Deno's list they would have another meaning.
 */
export function networkAccess(hosts: readonly string[]): NetworkAccess {
  const addresses = hosts.map(checkHost);
  const open = (range: readonly [string, number]): boolean => {
    const block = new BlockList();
    block.addSubnet(range[0], range[1], "ipv4");
    return addresses.some((address) => isIPv4(address) && block.check(address, "ipv4"));
  };
  const canonical = new Set(addresses.filter(isIPv6).map(canonicalIPv6));
  return {
    allow: hosts.map((host) => host.toLowerCase()),
    deny: [
      ...LOCAL_NETWORKS.filter((range) => !open(range)).map(([network, prefix]) => `${network}/${prefix}`),
      ...PRIVATE_ADDRESSES.filter((address) => !canonical.has(canonicalIPv6(address))).map((address) => `[${address}]`),
    ],
  };
}

/** The host without its port. */
function checkHost(host: string): string {
  const parts =
    typeof host === "string" ? /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(host.toLowerCase()) : null;
  const [, bracketed, plain = "", port] = parts ?? [];
  const fits =
    bracketed === undefined
      ? isIPv4(plain) || (NAME.test(plain) && !ENDS_IN_NUMBER.test(plain))
      : isPlainIPv6(bracketed);
  if (parts === null || !fits || (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))) {
    throw new TypeError(
      `Cannot allow host ${JSON.stringify(host)}: allowed are a name, an IPv4 address or an IPv6 address in brackets, each with an optional port, such as "api.example.com:443"`,
    );
  }
  return bracketed ?? plain;
}

/** An IPv6 address that is not an IPv4 address in disguise and names no interface. */
function isPlainIPv6(address: string): boolean {
  return (
    isIPv6(address) &&
    !address.includes("%") &&
    !/^\[::ffff:[0-9a-f]{1,4}:[0-9a-f]{1,4}\]$/.test(new URL(`http://[${address}]`).hostname)
  );
}

function canonicalIPv6(address: string): string {
  return new URL(`http://[${address}]`).hostname;
}
