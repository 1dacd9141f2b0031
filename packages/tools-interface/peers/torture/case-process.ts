/** Runs the cases it is sent, one after the other, on the system named by its argument. Started by `run-cases.ts`. */
import { tortureCases } from "@dispatch/check";
import { NotOfferedError, type PreparedTool, type TortureOutcome, type TortureSubject } from "@dispatch/check";
import { errorText } from "./error-text.ts";
import { loadPeer } from "./peer-loaders.ts";
import type { Order, Verdict } from "./verdict.ts";

const MAX_REASON = 300;
const { subject } = await loadPeer(process.argv[2] ?? "");
const cases = new Map(tortureCases.map((each) => [each.name, each]));
const unhandled: unknown[] = [];
process.on("unhandledRejection", (reason) => unhandled.push(reason));
process.on("uncaughtException", (error) => unhandled.push(error));
process.on("message", async (order: Order) => process.send?.(await judge(order)));
process.on("disconnect", () => process.exit());
process.send?.("ready");

async function judge({ name, catching }: Order): Promise<Verdict> {
  unhandled.length = 0;
  const watched = new WatchedSubject(subject, catching);
  const verdict = (status: Verdict["status"], reason = ""): Verdict => {
    const spoiled = unhandled.length > 0 || reason.includes("still pending");
    return { status, reason, rejected: watched.rejected, spoiled };
  };
  try {
    await cases.get(name)?.run(watched);
    const [first] = unhandled;
    return unhandled.length === 0 ? verdict("passed") : verdict("failed", `unhandled: ${oneLine(errorText(first))}`);
  } catch (error) {
    if (NotOfferedError.isInstance(error)) return verdict("not_offered", error.message);
    return verdict("failed", oneLine(error instanceof Error ? error.message : String(error)));
  }
}

function oneLine(text: string): string {
  return text
    .replace(/^[\w ]+, [^:]*: /, "")
    .replaceAll(/\s+/g, " ")
    .slice(0, MAX_REASON);
}

/** A subject that notes whether a call rejected, in a host that lets it or that catches. */
class WatchedSubject implements TortureSubject {
  readonly name: string;
  rejected = false;
  readonly #inner: TortureSubject;
  readonly #catching: boolean;

  constructor(inner: TortureSubject, catching: boolean) {
    this.name = inner.name;
    this.#inner = inner;
    this.#catching = catching;
  }

  async prepare(...args: Parameters<TortureSubject["prepare"]>): Promise<PreparedTool> {
    const inner = await this.#inner.prepare(...args);
    const callRaw = inner.callRaw?.bind(inner);
    return {
      call: (sent, options) => this.#watch(() => inner.call(sent, options), options?.signal),
      ...(callRaw && { callRaw: (call, options) => this.#watch(() => callRaw(call, options), options?.signal) }),
    };
  }

  async #watch(call: () => Promise<TortureOutcome>, signal: AbortSignal | undefined): Promise<TortureOutcome> {
    try {
      return await call();
    } catch (error) {
      if (NotOfferedError.isInstance(error)) throw error;
      this.rejected = true;
      if (!this.#catching) throw error;
      const text = errorText(error);
      return { failed: true, text: signal?.aborted ? `The call was cancelled: ${text}` : text };
    }
  }
}
