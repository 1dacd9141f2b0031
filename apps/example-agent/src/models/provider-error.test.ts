import { describe, expect, test } from "vitest";
import { createLoggingFetch } from "./logging-fetch.ts";
import { providerError } from "./provider-error.ts";

const watched = createLoggingFetch(() => {});
const thrown = (status: number, message: string): Error => Object.assign(new Error(message), { status });

describe("providerError()", () => {
  test.each([
    [400, "400 prompt is too long: 212345 tokens > 200000 maximum", { limit: 200_000 }],
    [400, "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens", { limit: 8_192 }],
    [400, "Your input exceeds the context window of this model. Please adjust your input and try again.", {}],
    [400, "the request exceeds the available context size (4096 tokens), try increasing it", { limit: 4_096 }],
    [413, "Request too large", {}],
    [400, "tools: Input should be a valid list", undefined],
    [429, "Number of tokens has exceeded your rate limit of 30000 tokens per minute", undefined],
  ])("takes %i %j for a conversation that is too long: %j", (status, message, tooLong) => {
    expect(providerError("m", thrown(status, message), watched).tooLong).toEqual(tooLong);
  });

  test("shows no page of a proxy whole", () => {
    const page = `502 <!DOCTYPE html><html><head><title>502 Bad\nGateway</title><style>b{}</style></head><body>${"<p>x</p>".repeat(5_000)}</body></html>`;
    const { message } = providerError("m", thrown(502, page), watched);
    expect(message).toBe("Cannot get an answer of m: 502, a page of HTML: 502 Bad Gateway");
    const long = providerError("m", thrown(500, "word ".repeat(5_000)), watched).message;
    expect(long.length).toBeLessThan(600);
  });
});
