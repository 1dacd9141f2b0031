import { ThreadPool } from "../thread/thread-pool.ts";
import { toldEncoding, type DecodeAnswer, type DecodeWork } from "./decode-bytes.ts";
import type { TextEncoding } from "./text-encoding.ts";

/** Threads at a time, in all of the process. */
const MAX_THREADS = 1;

const threads = new ThreadPool<DecodeWork | string, DecodeAnswer | Uint8Array[]>({
  program: async () => new URL("./decode-worker.ts", import.meta.url),
  maxThreads: MAX_THREADS,
});

/** Detects the encoding of bytes in a thread: a legacy encoding takes longer than the event loop may wait. */
export async function encodingInThread(
  bytes: Uint8Array,
  stated: string | undefined,
  signal: AbortSignal,
): Promise<TextEncoding | undefined> {
  return toldEncoding((await threads.run({ bytes, stated, wanted: false }, signal)) as DecodeAnswer);
}

/** Decodes bytes of a legacy encoding in a thread. */
export async function decodeInThread(
  bytes: Uint8Array,
  stated: string | undefined,
  signal: AbortSignal,
): Promise<DecodeAnswer> {
  return (await threads.run({ bytes, stated, wanted: true }, signal)) as DecodeAnswer;
}

/** `encodedForms` of a text, in a thread: the tables of the encodings take long to load. */
export async function formsInThread(text: string, signal: AbortSignal): Promise<Uint8Array[]> {
  return (await threads.run(text, signal)) as Uint8Array[];
}
