import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { createScreen, type Screen } from "./screen.ts";

/** Text written at the same time is drawn once, a moment later. */
const drawn = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));

function open(isTTY: boolean): { screen: Screen; written: () => string } {
  const chunks: string[] = [];
  const sink = new Writable({ write: (chunk, _, done) => (chunks.push(String(chunk)), done()) });
  const stream = Object.assign(sink, { isTTY, columns: 80, rows: 24 });
  const screen = createScreen(stream as unknown as NodeJS.WriteStream);
  return { screen, written: () => chunks.splice(0).join("") };
}

describe("createScreen()", () => {
  test("moves nothing where there is no terminal", () => {
    const { screen, written } = open(false);
    screen.live(() => ["busy"]);
    screen.stream("half a ");
    screen.stream("line");
    screen.line("next");
    screen.live(undefined);
    expect(written()).toBe("half a line\nnext\n");
  });

  test("draws below what stays, and takes it away", async () => {
    const { screen, written } = open(true);
    screen.live((spinner) => [`${spinner} busy`]);
    await drawn();
    expect(written()).toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] busy/);
    screen.line("stays");
    await drawn();
    expect(written()).toMatch(/stays\n[^]*busy/);
    screen.live(undefined);
    await drawn();
    expect(written()).not.toContain("busy");
  });

  test("holds back what comes while a person is asked, and loses nothing of it", async () => {
    const { screen, written } = open(true);
    screen.live(() => ["busy"]);
    await drawn();
    written();
    await screen.pause(async () => {
      screen.line("meanwhile");
      await drawn();
      expect(written()).not.toMatch(/meanwhile|busy/);
    });
    expect(written()).toMatch(/meanwhile\n[^]*busy/);
    screen.live(undefined);
  });
});
