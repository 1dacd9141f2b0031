import fc from "fast-check";
import { expect, describe, test } from "vitest";
import { CallSlots, type CallSlot } from "./call-slots.ts";

const never = new AbortController().signal;
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A question, and its answer. */
function question() {
  let answer = (_text: string): void => {};
  const asked = new Promise<string>((resolve) => (answer = resolve));
  return { ask: () => asked, answer: () => answer("yes") };
}

function enter(slots: CallSlots, client = "a", signal = never): CallSlot {
  const slot = slots.enter(client, signal);
  if (slot === undefined) throw new Error("no place is free");
  return slot;
}

describe("CallSlots", () => {
  test("keeps no place for a call that ends at the moment it gets one", async () => {
    const slots = new CallSlots({ running: 1, waiting: 10 });
    const { ask, answer } = question();
    const asking = enter(slots);
    const asked = asking.whileAsking(ask);
    const other = enter(slots, "b");
    answer();
    await turn();
    other.leave();
    asking.leave();
    await asked;
    expect(slots.enter("c", never)).toBeDefined();
  });

  test("lets answered calls go on one by one, in turn, before any new one", async () => {
    const slots = new CallSlots({ running: 1, waiting: 10 });
    const questions = [question(), question(), question()];
    const order: number[] = [];
    const calls = questions.map(async ({ ask }, index) => {
      const slot = enter(slots);
      await slot.whileAsking(ask);
      order.push(index);
      return slot;
    });
    for (const index of [1, 0, 2]) {
      questions[index]?.answer();
      await turn();
    }
    expect(order).toEqual([1]);
    expect(slots.enter("new", never)).toBeUndefined();
    (await calls[1])?.leave();
    expect(slots.enter("new", never)).toBeUndefined();
    (await calls[0])?.leave();
    (await calls[2])?.leave();
    expect(order).toEqual([1, 0, 2]);
    expect(slots.enter("new", never)).toBeDefined();
  });

  test("lets a cancelled call end without its turn, and keeps no place of one that left early", async () => {
    const slots = new CallSlots({ running: 1, waiting: 10 });
    const control = new AbortController();
    const [cancelled, left] = [question(), question()];
    const first = enter(slots, "a", control.signal);
    const firstAsked = first.whileAsking(cancelled.ask);
    const second = enter(slots);
    const secondAsked = second.whileAsking(left.ask);
    const runs = enter(slots);
    cancelled.answer();
    left.answer();
    await turn();
    control.abort();
    expect(await firstAsked).toBe("yes");
    first.leave();
    second.leave();
    expect(await secondAsked).toBe("yes");
    expect(slots.enter("a", never)).toBeUndefined();
    runs.leave();
    enter(slots).leave();
  });

  test("refuses a question above a client's half and above the whole, and ends no waiting call", async () => {
    const slots = new CallSlots({ running: 10, waiting: 4 });
    const open = question();
    const asked: Promise<string>[] = [];
    const ask = (client: string) => enter(slots, client).whileAsking(open.ask);
    for (const client of ["a", "a"]) asked.push(ask(client));
    await expect(ask("a")).rejects.toThrow("2 calls of this client wait for an answer, which is the limit");
    for (const client of ["b", "c"]) asked.push(ask(client));
    await expect(ask("d")).rejects.toThrow("4 calls of all clients wait for an answer, which is the limit");
    open.answer();
    expect(await Promise.all(asked)).toEqual(["yes", "yes", "yes", "yes"]);
    const last = question();
    const again = enter(slots, "a").whileAsking(last.ask);
    last.answer();
    expect(await again).toBe("yes");
  });

  test("never has more running than the limit, and gives every place back", async () => {
    const step = fc.constantFrom("enter", "ask", "answer", "cancel", "leave", "resume");
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(fc.tuple(step, fc.nat(9))), async (limit, steps) => {
        const slots = new CallSlots({ running: limit, waiting: 6 });
        const calls: Call[] = [];
        for (const [what, index] of steps) {
          const call = calls[index % Math.max(1, calls.length)];
          if (what === "enter" || what === "resume") {
            const control = new AbortController();
            const made = { control, state: "running" as Call["state"], answer: () => {}, slot: undefined };
            const slot = what === "enter" ? slots.enter(index, control.signal) : undefined;
            if (slot !== undefined) calls.push({ ...made, slot });
            if (what === "resume") calls.push(resumed(slots, index, { ...made, state: "waits" }));
          } else if (call !== undefined) act(call, what);
          await turn();
          expect(calls.filter(isRunning).length).toBeLessThanOrEqual(limit);
        }
        for (const call of calls) call.control.abort();
        for (const call of calls) call.answer();
        await turn();
        for (const { slot } of calls) slot?.leave();
        for (let count = 0; count < limit; count += 1) enter(slots);
        expect(slots.enter("a", never)).toBeUndefined();
      }),
    );
  });
});

interface Call {
  readonly control: AbortController;
  slot: CallSlot | undefined;
  state: "running" | "waits" | "left";
  answer: () => void;
}

/** A cancelled call only ends. */
const isRunning = ({ state, control }: Call): boolean => state === "running" && !control.signal.aborted;

function resumed(slots: CallSlots, client: number, call: Call): Call {
  void slots.enterInTurn(client, call.control.signal).then((slot) => {
    call.slot = slot;
    call.state = "running";
  });
  return call;
}

function act(call: Call, what: string): void {
  if (what === "answer") call.answer();
  if (what === "cancel") {
    call.control.abort();
    call.answer();
  }
  if (call.slot === undefined || call.state !== "running") return;
  if (what === "leave") {
    call.state = "left";
    call.slot.leave();
  }
  if (what !== "ask") return;
  const { ask, answer } = question();
  call.answer = answer;
  call.state = "waits";
  const go = (): void => {
    if (call.state === "waits") call.state = "running";
  };
  void call.slot.whileAsking(ask).then(go, go);
}
