import { describe, expect, test } from "vitest";
import type { Entry } from "./entry.ts";
import { createFeed } from "./feed.ts";

const said = (id: string, text = id): Entry => ({ kind: "said", id, at: 0, by: "agent", text });
const open = (id: string): Entry => {
  return { kind: "approval", id, at: 0, text: id, detail: [], call: undefined, mutation: undefined, state: "open" };
};

describe("createFeed()", () => {
  test("gives what changed since, each entry once and as it is now", () => {
    const feed = createFeed();
    feed.put(said("a"));
    feed.put(said("b"));
    const { revision } = feed;
    for (const text of ["x", "xy", "xyz"]) feed.change("said", "a", (entry) => ({ ...entry, text }));
    feed.change("call", "a", () => expect.unreachable("it is no call"));
    feed.change("said", "gone", () => expect.unreachable("it is not there"));
    expect(feed.since(revision)).toEqual([said("a", "xyz")]);
    expect(feed.since(0).map(({ id }) => id)).toEqual(["a", "b"]);
    expect(feed.since(feed.revision)).toEqual([]);
  });

  test("leaves out the oldest when there are too many, but nothing that waits for an answer", () => {
    const feed = createFeed(3);
    for (const entry of [open("q"), said("1"), said("2"), said("3"), said("4")]) feed.put(entry);
    expect(feed.since(0).map(({ id }) => id)).toEqual(["q", "3", "4"]);
    expect(feed.leftOut).toBe(2);
  });

  test("tells its listeners until they stop", () => {
    const feed = createFeed();
    let heard = 0;
    const stop = feed.listen(() => (heard += 1));
    feed.put(said("a"));
    stop();
    feed.put(said("b"));
    expect(heard).toBe(1);
  });
});
