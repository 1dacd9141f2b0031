import { mkdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { noTools, temporaryDirectory } from "../../test/sandbox.ts";
import { DenoRuntime, NoKernelWallError, type ContainmentReport } from "./index.ts";

describe("containment of DenoRuntime", () => {
  test("is the strongest that works, and the host hears which that is", async () => {
    const heard: ContainmentReport[] = [];
    await using runtime = new DenoRuntime({ prewarm: 0, onContainment: (report) => heard.push(report) });
    expect(heard).toEqual([runtime.describeContainment()]);
    const { value } = await runtime.execute({ code: "Deno.pid", callTool: noTools });
    // The first process of a namespace has the id 1.
    if (heard[0]?.strength === "kernel") expect(value).toBeLessThan(10);
    else expect(value).toBeGreaterThan(10);
  });

  test("that is required is there, or the runtime is not", () => {
    let runtime: DenoRuntime | undefined;
    try {
      runtime = new DenoRuntime({ prewarm: 0, containment: "required" });
    } catch (error) {
      expect(error).toBeInstanceOf(NoKernelWallError);
      return;
    }
    expect(runtime.describeContainment().strength).toBe("kernel");
  });

  test("is Deno alone when the host asks for that", async () => {
    await using runtime = new DenoRuntime({ prewarm: 0, containment: "process" });
    expect(runtime.describeContainment()).toEqual({
      strength: "process",
      wall: undefined,
      parts: [],
      missing: ["the host asked for none"],
      advice: [],
    });
    const { value } = await runtime.execute({ code: "Deno.pid", callTool: noTools });
    expect(value).toBeGreaterThan(10);
  });

  test("lets a program use a directory whose path has every kind of character", async () => {
    const cwd = `${temporaryDirectory()}/a b#c\\d'e"f\t$(x)`;
    mkdirSync(cwd);
    await using runtime = new DenoRuntime({ prewarm: 0, cwd });
    const code = "Deno.writeTextFileSync('a', 'b'); return [Deno.readTextFileSync('a'), Deno.cwd()]";
    expect((await runtime.execute({ code, callTool: noTools })).value).toEqual(["b", cwd]);
  });
});
