/** How long a server may send nothing, in milliseconds. */
export interface Silence {
  /** The time after which a person receives a notice. */
  readonly noticeMs: number;
  /** Then the answer counts as broken off. Models that think send nothing for minutes. */
  readonly timeoutMs: number;
}

/** The default. */
export const SILENCE: Silence = { noticeMs: 20_000, timeoutMs: 300_000 };

/**
 * The same stream, which fails when nothing comes for too long.
 *
 * @param onSilence Called once for each time that nothing comes for a while.
 */
export function endingStream(
  body: ReadableStream<Uint8Array>,
  { noticeMs, timeoutMs }: Silence,
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
    notice = setTimeout(onSilence, noticeMs);
    end = setTimeout(() => {
      stop();
      controller.error(new Error(`nothing came for ${Math.round(timeoutMs / 1_000)} s`));
    }, timeoutMs);
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
