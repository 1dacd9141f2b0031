import { describe, expect, test } from "vitest";
import { networkAccess } from "./allowed-host.ts";

describe("networkAccess()", () => {
  test("takes names and addresses, with or without a port", () => {
    const hosts = [
      "example.com",
      "API.example.com:443",
      "8.8.8.8",
      "8.8.8.8:53",
      "[2001:db8::1]",
      "[2001:db8::1]:80",
      "localhost:3000",
      "my_host",
    ];
    expect(networkAccess(hosts).allow).toEqual(hosts.map((host) => host.toLowerCase()));
  });

  test.each([
    "",
    " ",
    "a,b",
    "a b",
    "*",
    "*.example.com",
    "https://example.com",
    "example.com/",
    "user@example.com",
    "example.com:",
    "example.com:0",
    "example.com:65536",
    "example.com:80:80",
    "10.0.0.0/8",
    "unix:/run/x.sock",
    "vsock:1:2",
    "::1",
    "[::1",
    "[]",
    "[fe80::1%eth0]",
    "2130706433",
    "0x7f.1",
    "127.1",
    "0177.0.0.1",
    "a..b",
    "-a",
    "example.com.",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "a\nb",
    "ex\u0430mple.com",
    "--allow-all",
  ])("refuses %j", (host) => {
    expect(() => networkAccess([host])).toThrow(/^Cannot allow host .*: allowed are a name/s);
  });

  test("refuses what is not a string", () => {
    expect(() => networkAccess([undefined as unknown as string])).toThrow(TypeError);
  });

  test("denies private ranges whatever names are allowed", () => {
    const { deny } = networkAccess(["example.com", "localhost"]);
    expect(deny).toEqual(expect.arrayContaining(["[64:ff9b::169.254.169.254]"]));
    expect(deny).toEqual(
      expect.arrayContaining(["127.0.0.0/8", "169.254.0.0/16", "10.0.0.0/8", "[::1]", "[fd00:ec2::254]"]),
    );
  });

  test("opens the range of an address that is allowed by its number, and no other", () => {
    const before = networkAccess(["example.com"]).deny;
    const after = networkAccess(["192.168.1.7:8080"]).deny;
    expect(before.filter((range) => !after.includes(range))).toEqual(["192.168.0.0/16"]);
    expect(networkAccess(["[::1]:80"]).deny).not.toContain("[::1]");
    expect(networkAccess(["[::1]:80"]).deny).toContain("127.0.0.0/8");
  });
});
