import { onTestFinished, vi } from "vitest";

/** Far less than the time after which a look at the limits finds the host blocked: others read the clock between two looks. */
const STEP_MS = 40;

/** The host's clock. It stands still but for what a test has pass, so that a busy machine takes no time of a program's. */
export interface HostClock {
  /** Time passes at once, as where the host is blocked. */
  jump(ms: number): void;
  /** Time passes in steps, each of which is looked at. Default without end. Does not settle once nothing looks any more. */
  pass(ms?: number): Promise<void>;
}

/** Takes the place of the clock by which programs are limited, until the test ends. */
export function hostClock(): HostClock {
  let now = performance.now();
  let looked = (): void => undefined;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    looked();
    return now;
  });
  onTestFinished(() => clock.mockRestore());
  return {
    jump: (ms) => void (now += ms),
    async pass(ms = Infinity) {
      for (let passed = 0; passed < ms; passed += STEP_MS) {
        now += STEP_MS;
        await new Promise<void>((resolve) => (looked = resolve));
      }
    },
  };
}
