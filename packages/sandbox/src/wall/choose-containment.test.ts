import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { chooseContainment, type ContainmentChoice } from "./choose-containment.ts";
import type { Containment, ContainmentReport } from "./containment.ts";
import type { WrapCommand } from "./wall.ts";

const wrap: WrapCommand = (command, args) => [command, args];
const choose = (choice: Partial<ContainmentChoice>) =>
  chooseContainment({
    containment: "auto",
    wrap: undefined,
    // Nothing that is linked can be run from there, so no wall can be tried.
    program: "/nowhere/deno",
    cwd: undefined,
    tempDir: realpathSync(tmpdir()),
    trial: [],
    environment: () => ({}),
    onContainment: () => undefined,
    ...choice,
  });

describe("chooseContainment()", () => {
  test("takes the host's own wall before any other", () => {
    const { wall, report } = choose({ wrap, containment: "required" });
    expect(wall?.enclose("a", ["b"], { directory: "/d", cwd: undefined, readOnly: true, network: false })).toEqual({
      command: "a",
      args: ["b"],
    });
    expect(report).toEqual({ strength: "custom", wall: "wrap", parts: [], missing: [], advice: [] });
  });

  test("takes none when asked to, and says so", () => {
    const { wall, report } = choose({ containment: "process" });
    expect([wall, report.strength, report.missing]).toEqual([undefined, "process", ["the host asked for none"]]);
  });

  test("says why there is no wall, to the callback", () => {
    const heard: ContainmentReport[] = [];
    const { report } = choose({ onContainment: (told) => heard.push(told) });
    expect(heard).toEqual([report]);
    expect(report.strength).toBe("process");
    expect(report.missing.length).toBeGreaterThan(0);
  });

  test("refuses to go without a wall that is required", () => {
    expect(() => choose({ containment: "required" })).toThrow(
      expect.objectContaining({ name: "NoKernelWallError", code: "no_kernel_wall" }),
    );
  });

  test("refuses what is not a containment", () => {
    expect(() => choose({ containment: "strong" as Containment })).toThrow(
      new TypeError("Setting containment: found strong, allowed are auto, required, process"),
    );
  });
});
