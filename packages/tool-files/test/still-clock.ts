import { afterEach, beforeEach, vi } from "vitest";

/** In the tests of this file no time passes: names are suggested however busy the machine is. */
export function stillClock(): void {
  let clock: { mockRestore: () => void };
  beforeEach(() => {
    clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  });
  afterEach(() => clock.mockRestore());
}
