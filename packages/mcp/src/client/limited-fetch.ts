/** The bytes that end an event of a stream: an empty line. */
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * A `fetch` whose answers end with an error at a message that is too long: a whole body, or one event of a stream of
 * events.
 *
 * @param onLong - Called then. A stream that ends early is resumed and no request fails by it, so the caller has to end
 * the connection.
 */
export function limitFetch(
  fetcher: typeof fetch,
  maxMessageBytes: number,
  onLong: (error: Error) => void,
): typeof fetch {
  return async (input, init) => {
    const response = await fetcher(input, init);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") ?? false;
    const limited = response.body.pipeThrough(limiter(maxMessageBytes, isStream, onLong));
    const { status, statusText, headers, url } = response;
    const answer = new Response(limited, { status, statusText, headers });
    // It distinguishes redirects and errors.
    Object.defineProperty(answer, "url", { value: url });
    return answer;
  };
}

function limiter(
  maxBytes: number,
  isStream: boolean,
  onLong: (error: Error) => void,
): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let isLineEmpty = true;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (isStream) {
        for (const [at, byte] of chunk.entries()) {
          if (byte === LINE_FEED) {
            if (isLineEmpty) bytes = chunk.length - at;
            isLineEmpty = true;
          } else if (byte !== CARRIAGE_RETURN) isLineEmpty = false;
        }
      }
      if (bytes <= maxBytes) return controller.enqueue(chunk);
      const error = new Error(`it sent a message of more than ${maxBytes} bytes`);
      controller.error(error);
      onLong(error);
    },
  });
}
