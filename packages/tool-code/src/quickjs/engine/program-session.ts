import { EvalFlags, type JSValueHandle } from "quickjs-wasi";
import { programReadings } from "../../program/program-readings.ts";
import { tokensOf } from "../../program/statements.ts";
import { undeclaredNames } from "../../program/undeclared-names.ts";
import { hostFullError, type SyntaxFault } from "../../run/program-error.ts";
import { guestModule, importRefusal } from "../guest/guest-modules.ts";
import type { BusyClock } from "./busy-clock.ts";
import { localeText, urlParts } from "./host-services.ts";
import { faultAt, FILE, isSyntaxError, ProgramModule } from "./program-module.ts";
import type { QuickJsEngine } from "./quickjs-engine.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";
import { memoryEnd, type SessionEnd, type SessionMessage, type SessionRequest } from "./session-message.ts";
import { strippedModule, SyntaxFaultError } from "./strip-types.ts";

/** Dependencies of a {@link ProgramSession}. */
export interface ProgramSessionOptions {
  readonly engine: QuickJsEngine;
  readonly clock: BusyClock;
  /** Receives the program's messages, its printed output, and its end. */
  readonly post: (message: SessionMessage) => void;
  /** Asked while the program computes. True ends it. Default never. */
  readonly shouldStop?: () => boolean;
}

/** Printed text is passed on when there is this much of it, in characters, or after `PRINT_MS`. */
const PRINT_CHARS = 8_192;
const PRINT_MS = 50;
/** Longer messages are passed on as bytes, which need not be copied. */
const LONG_FRAME_CHARS = 32_768;
/** Timers run for so long before messages of the host are read. */
const TIMERS_MS = 10;
const UNPARSED = "SyntaxError: the program cannot be parsed: it is nested too deeply, or something is not closed";

/**
 * Runs one program after the other in QuickJS, each in a WebAssembly instance of its own that is dropped with it. Only
 * texts and numbers pass between the two. Neither a program nor any message from it is trusted.
 */
export class ProgramSession {
  readonly #options: ProgramSessionOptions;
  #prepared: Promise<Sandbox> | undefined;
  /** That of the program; `undefined` when none runs. */
  #sandbox: Sandbox | undefined;
  #module: ProgramModule | undefined;
  #stubs: { readonly source: string; readonly code: string } | undefined;
  #refusedImport: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Ends a program that has its value, but has not done all. */
  #linger: ReturnType<typeof setTimeout> | undefined;
  /** Calls that are not answered yet. */
  #pending = 0;
  #printed = "";
  #hostMb = 0;
  /** Characters that its calls may still have. */
  #callCharsLeft = 0;
  /** Characters it may still print. */
  #charsLeft = 0;
  #printedAt = 0;

  constructor(options: ProgramSessionOptions) {
    this.#options = options;
  }

  /** Makes the next program's sandbox ahead of time. */
  async prepare(heapMb: number): Promise<void> {
    this.#prepared ??= this.#make(heapMb);
    await this.#prepared;
  }

  /** Runs a program. It ends by a `done` frame or an `end`. */
  async run(request: SessionRequest): Promise<void> {
    const prepared = this.#prepared;
    this.#prepared = undefined;
    const ready = await prepared;
    this.#sandbox = ready?.heapMb === request.heapMb ? ready : await this.#make(request.heapMb);
    this.#printed = "";
    // One character more than allowed: the host counts bytes, and ends the program.
    this.#charsLeft = request.limits.outputBytes + 1;
    this.#hostMb = request.limits.hostMb;
    this.#callCharsLeft = this.#hostMb * 1024 * 1024;
    this.#pending = 0;
    this.#enter((sandbox) => this.#start(request, sandbox));
  }

  /** Passes a message of the host to the program. */
  receive(json: string): void {
    this.#enter(({ vm, guest }) => {
      this.#pending -= 1;
      vm.newString(json).consume((message) => this.#call(guest.receive, message));
    });
  }

  stop(): void {
    this.#halt();
    clearTimeout(this.#timer);
    clearTimeout(this.#linger);
    this.#timer = undefined;
    this.#sandbox = undefined;
  }

  #make(heapMb: number): Promise<Sandbox> {
    return createSandbox({
      engine: this.#options.engine,
      heapMb,
      host: (operation, args) => this.#serve(operation, args),
      load: (name) => guestModule(name) ?? this.#refuse(name),
      shouldStop: () => this.#options.shouldStop?.() === true,
    });
  }

  /** Everything that a sandbox can ask for. */
  #serve(operation: string, args: readonly (string | number | undefined)[]): string | undefined {
    const [first, second, third] = args;
    const text = (value: string | number | undefined): string => `${value ?? ""}`;
    switch (operation) {
      case "call":
        this.#pending += 1;
        // The host counts it too, but it may be busy while more is sent to it.
        this.#callCharsLeft -= text(first).length;
        if (this.#callCharsLeft >= 0) this.#send(text(first));
        else this.#end({ kind: "memory", message: hostFullError({ hostMb: this.#hostMb }).message });
        return undefined;
      case "done":
        this.#flush();
        this.#send(text(first));
        this.stop();
        return undefined;
      case "print":
        this.#print(text(first));
        return undefined;
      case "wake":
        this.#wake(Number(first));
        return undefined;
      case "linger":
        this.#linger = setTimeout(() => this.#idle(), Number(first));
        return undefined;
      case "stop":
        this.#halt();
        return undefined;
      case "full":
        return this.#sandbox?.wasFull() ? "full" : undefined;
      case "url":
        return urlParts(text(first), second?.toString(), third?.toString());
      case "format":
        return localeText(text(first), second ?? "", text(third));
      case "place": {
        const found = this.#module?.place({ line: Number(first), column: Number(second) });
        return found && `${found.line}:${found.column}`;
      }
      default:
        return undefined;
    }
  }

  /** Tries the ways to read the program; runs the first that parses. */
  #start({ code, stubs, limits }: SessionRequest, { vm, guest }: Sandbox): void {
    const { stripTypes } = this.#options.engine;
    const tokens = tokensOf(code);
    this.#call(guest.begin, vm.hostToHandle(limits), vm.hostToHandle(undeclaredNames(tokens)));
    const appended = this.#stripped(stubs);
    const faults: SyntaxFault[] = [];
    let message = UNPARSED;
    for (const reading of programReadings(code, tokens, undefined)) {
      this.#module = undefined;
      this.#refusedImport = undefined;
      try {
        this.#module = new ProgramModule(code, reading, stripTypes);
        const loading = vm.evalCode(this.#module.code + appended, FILE, EvalFlags.TYPE_MODULE);
        const { isBody, callsValue, returns, isReturned } = reading;
        return this.#call(guest.run, loading, vm.hostToHandle({ isBody, callsValue, returns, isReturned }));
      } catch (error) {
        if (this.#refusedImport !== undefined)
          return this.#end({ kind: "permission", message: importRefusal(this.#refusedImport) });
        if (!isSyntaxError(error)) throw error;
        message = `SyntaxError: ${error.message}`;
        // It parsed: no other reading finds the missing export.
        if (error.message.startsWith("Could not find export"))
          return this.#end({ kind: "syntax", faults: [], message });
        const fault =
          error instanceof SyntaxFaultError
            ? faultAt(error.message, error.position, reading.prefix)
            : this.#module?.faultOf(error);
        if (reading.isTold && fault !== undefined) faults.push(fault);
      }
    }
    this.#end({ kind: "syntax", faults, message });
  }

  /** The functions of the tools are the same for many programs. */
  #stripped(source: string): string {
    if (this.#stubs?.source !== source)
      this.#stubs = { source, code: strippedModule(source, this.#options.engine.stripTypes).code };
    return this.#stubs.code;
  }

  #refuse(name: string): never {
    this.#refusedImport = name;
    const refused = new Error(importRefusal(name));
    // The engine would show it to the program.
    refused.stack = "";
    throw refused;
  }

  #halt(): void {
    if (this.#sandbox !== undefined) this.#sandbox.halt.isSet = true;
  }

  #call(guest: JSValueHandle, ...args: readonly JSValueHandle[]): void {
    const vm = this.#sandbox?.vm;
    vm?.callFunction(guest, vm.undefined, ...args).dispose();
  }

  /** Lets the program go on, until it waits for the host. */
  #enter(proceed: (sandbox: Sandbox) => void): void {
    const sandbox = this.#sandbox;
    if (sandbox === undefined) return;
    const { clock } = this.#options;
    clock.start();
    try {
      proceed(sandbox);
      this.#drain(sandbox);
    } catch (error) {
      this.#crashed(error);
    } finally {
      clock.stop();
    }
    this.#flush();
    if (this.#pending === 0 && this.#timer === undefined) this.#idle();
  }

  #idle(): void {
    try {
      if (this.#sandbox !== undefined) this.#call(this.#sandbox.guest.idle);
    } catch (error) {
      this.#crashed(error);
    }
  }

  #drain({ vm, guest, rejected }: Sandbox): void {
    vm.executePendingJobs();
    for (const [promise, reason] of rejected) {
      rejected.delete(promise);
      this.#call(guest.unhandled, reason);
    }
    vm.executePendingJobs();
    this.#call(guest.turn);
    this.#call(guest.flush);
  }

  /** The engine or the parser gave up. */
  #crashed(error: unknown): void {
    if (this.#sandbox === undefined) return;
    const { heapMb, halt, wasFull } = this.#sandbox;
    const isBroken = true;
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    if (halt.isSet || /interrupted/.test(message))
      return this.#end({ kind: "timeout", message: "the program was interrupted" });
    // Without memory for its own error the engine fails by any other.
    if (wasFull() || /out of memory|malloc failed/.test(message)) return this.#end({ isBroken, ...memoryEnd(heapMb) });
    // The parser ran out of its stack.
    if (this.#module === undefined) return this.#end({ isBroken, kind: "syntax", faults: [], message: UNPARSED });
    this.#end({ isBroken, kind: "runtime", message: message.startsWith(name) ? message : `${name}: ${message}` });
  }

  #end(end: SessionEnd): void {
    this.#flush();
    this.#options.post({ end });
    this.stop();
  }

  #send(json: string): void {
    this.#options.post({ frame: json.length > LONG_FRAME_CHARS ? new TextEncoder().encode(json) : json });
  }

  #print(text: string): void {
    if (this.#printed === "") this.#printedAt = performance.now();
    this.#printed += text.slice(0, this.#charsLeft);
    this.#charsLeft = Math.max(this.#charsLeft - text.length, 0);
    if (this.#printed.length > PRINT_CHARS || performance.now() - this.#printedAt > PRINT_MS) this.#flush();
    if (this.#charsLeft === 0) this.#halt();
  }

  #flush(): void {
    if (this.#printed === "") return;
    this.#options.post({ text: this.#printed });
    this.#printed = "";
  }

  #wake(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = delayMs >= 0 && this.#sandbox !== undefined ? setTimeout(() => this.#fire(), delayMs) : undefined;
  }

  #fire(): void {
    this.#timer = undefined;
    this.#enter((sandbox) => {
      const { vm, guest } = sandbox;
      const until = performance.now() + TIMERS_MS;
      let more: boolean;
      // At least one: the guest then says when the next one is due.
      do {
        more = vm.callFunction(guest.fire, vm.undefined).consume((handle) => handle.toBoolean());
        this.#drain(sandbox);
      } while (more && this.#sandbox !== undefined && performance.now() < until);
    });
  }
}
