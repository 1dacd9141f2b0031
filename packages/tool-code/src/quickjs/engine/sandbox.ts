import { QuickJS, type JSValueHandle } from "quickjs-wasi";
import { guestSource, type Guest } from "../guest/guest-source.ts";
import type { QuickJsEngine } from "./quickjs-engine.ts";

/** One instance of QuickJS, for one program. It is never closed, only forgotten: all of it lies in its memory. */
export interface Sandbox {
  readonly vm: QuickJS;
  /** The functions inside that the host calls. */
  readonly guest: Readonly<Record<keyof Guest, JSValueHandle>>;
  readonly heapMb: number;
  /** Whether the program once used all of it. */
  readonly wasFull: () => boolean;
  /** The engine goes no further once this is set. */
  readonly halt: { isSet: boolean };
  /** Reasons of rejections that nothing has handled, by their promises. */
  readonly rejected: Map<number, JSValueHandle>;
}

/** Dependencies of {@link createSandbox}. */
export interface SandboxOptions {
  readonly engine: QuickJsEngine;
  readonly heapMb: number;
  /** Answers the sandbox. The arguments are texts and numbers, made by untrusted code. */
  readonly host: (operation: string, args: readonly (string | number | undefined)[]) => string | undefined;
  /** The source of a module. If there is none, throws the error that the program receives. */
  readonly load: (name: string) => string;
  /** Asked while the program computes. True ends it. */
  readonly shouldStop: () => boolean;
}

/** The types of Node.js have no `WebAssembly.Memory`. */
interface LinearMemory {
  readonly buffer: { readonly byteLength: number };
}

const MIB = 1024 * 1024;
/** The memory of an instance never shrinks. Its last part may be too small for the requested size. */
const FULL_SHARE = 0.9;
/** QuickJS's limit for its own stack: the most that its WebAssembly can hold. */
const MAX_STACK_BYTES = 512 * 1024;
/** WASI for "bad file descriptor": the engine has no standard output. */
const ERRNO_BADF = 8;

/** Makes an instance with everything in it that a program finds. */
export async function createSandbox({ engine, heapMb, host, load, shouldStop }: SandboxOptions): Promise<Sandbox> {
  const halt = { isSet: false };
  const rejected = new Map<number, JSValueHandle>();
  let memory: LinearMemory | undefined;
  const vm = await QuickJS.create({
    wasm: engine.quickjs,
    extensions: [
      { name: "encoding", wasm: engine.encoding },
      { name: "structured-clone", wasm: engine.structuredClone, initFn: "qjs_ext_structured_clone_init" },
      { name: "crypto", wasm: engine.crypto },
    ],
    memoryLimit: heapMb * MIB,
    maxStackSize: MAX_STACK_BYTES,
    timezoneOffset: 0,
    wasi: (own: LinearMemory) => {
      memory = own;
      return { fd_write: () => ERRNO_BADF };
    },
    interruptHandler: () => halt.isSet || shouldStop(),
    onUnhandledRejection: (promise: JSValueHandle, reason: JSValueHandle, isHandled: boolean) => {
      if (isHandled) rejected.delete(promise.identity);
      else rejected.set(promise.identity, reason.dup());
    },
    moduleLoader: { load },
  });
  const valueOf = (handle: JSValueHandle): string | number | undefined =>
    handle.isString ? handle.toString() : handle.isNumber ? handle.toNumber() : undefined;
  const door = vm.newFunction("host", (operation, ...args) => {
    const found = host(operation?.toString() ?? "", args.map(valueOf));
    return found === undefined ? vm.undefined : vm.newString(found);
  });
  const made = vm.callFunction(vm.evalCode(`(${guestSource()})`, "host.js"), vm.undefined, door);
  const named = (name: keyof Guest): JSValueHandle => made.getProp(name);
  const guest = {
    begin: named("begin"),
    run: named("run"),
    receive: named("receive"),
    unhandled: named("unhandled"),
    fire: named("fire"),
    flush: named("flush"),
    idle: named("idle"),
    turn: named("turn"),
  };
  const wasFull = (): boolean => (memory?.buffer.byteLength ?? 0) > heapMb * MIB * FULL_SHARE;
  return { vm, guest, heapMb, wasFull, halt, rejected };
}
