/** How long a server may send nothing, in milliseconds. */
export interface Silence {
  /** The time after which a person receives a notice. */
  readonly noticeMs: number;
  /** Then the answer counts as broken off. Models that think send nothing for minutes. */
  readonly timeoutMs: number;
}

/** Seconds without a byte after which an answer counts as broken off, unless the person sets others. */
export const DEFAULT_SILENCE_SECONDS = 300;

const MAX_NOTICE_MS = 20_000;

/** The silence after which an answer counts as broken off, and half of it, or 20 seconds, before the notice. */
export function silenceOf(seconds = DEFAULT_SILENCE_SECONDS): Silence {
  // A timer takes no more milliseconds, and would fire at once.
  const timeoutMs = Math.min(seconds * 1_000, 2 ** 31 - 1);
  return { noticeMs: Math.min(MAX_NOTICE_MS, timeoutMs / 2), timeoutMs };
}

/** The error of a server that sent nothing for too long. */
export class SilenceError extends Error {
  constructor({ timeoutMs }: Silence) {
    super(`nothing came for ${Math.round(timeoutMs / 1_000)} s`);
  }
}

/**
 * The same stream, which fails when nothing comes for too long.
 *
 * @param onSilence Called once for each time that nothing comes for a while.
 */
export function endingStream(
  body: ReadableStream<Uint8Array>,
  silence: Silence,
  onSilence: () => void,
): ReadableStream<Uint8Array> {
  let notice: ReturnType<typeof setTimeout> | undefined;
  let end: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(notice);
    clearTimeout(end);
  };
  const wait = (controller: TransformStreamDefaultController<Uint8Array>): void => {
    stop();
    notice = setTimeout(onSilence, silence.noticeMs);
    end = setTimeout(() => {
      stop();
      controller.error(new SilenceError(silence));
    }, silence.timeoutMs);
  };
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    start: wait,
    transform(chunk, controller) {
      wait(controller);
      controller.enqueue(chunk);
    },
    flush: stop,
    cancel: stop,
  });
  return body.pipeThrough(watch);
}
