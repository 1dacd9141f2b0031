import { describe, expect, test } from "vitest";
import { currentMounts, lockedOptions, mountLine, mountsBelow } from "./mount-table.ts";

const mounts = [
  { point: "/", options: ["rw", "relatime"] },
  { point: "/srv", options: ["rw", "noexec", "nodev"] },
  { point: "/srv/work", options: ["ro", "nosuid"] },
  { point: "/srv/work/data", options: ["rw"] },
  { point: "/srv/workshop", options: ["rw"] },
];

describe("lockedOptions()", () => {
  test("gives what the innermost mount around a file has", () => {
    expect(lockedOptions(mounts, "/srv/other/a")).toEqual(["noexec", "nodev"]);
    expect(lockedOptions(mounts, "/srv/work")).toEqual(["ro", "nosuid"]);
    expect(lockedOptions(mounts, "/etc/hosts")).toEqual(["relatime"]);
  });

  test("goes by the later of two mounts at one place", () => {
    expect(lockedOptions([...mounts, { point: "/srv", options: ["noatime"] }], "/srv/a")).toEqual(["noatime"]);
  });
});

describe("mountsBelow()", () => {
  test("gives those inside of a directory, and not those beside it", () => {
    expect(mountsBelow(mounts, "/srv/work")).toEqual(["/srv/work/data"]);
    expect(mountsBelow(mounts, "/srv")).toEqual(["/srv/work", "/srv/workshop", "/srv/work/data"]);
  });
});

describe("mountLine()", () => {
  test("writes each option once, and hides what would end a field", () => {
    expect(mountLine("/a b\\c", "/d\te", "none", ["bind", "ro", "bind"])).toBe(
      "/a\\040b\\134c /d\\011e none bind,ro 0 0\n",
    );
  });
});

test("currentMounts() knows the root", ({ skip }) => {
  skip(process.platform !== "linux", "needs Linux");
  expect(currentMounts().map(({ point }) => point)).toContain("/");
});
