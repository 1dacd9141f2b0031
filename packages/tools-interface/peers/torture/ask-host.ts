import { NotOfferedError } from "@dispatch/check";

const ANSWER_TIMEOUT_MS = 1_000;

/**
 * Asks where the library stops and leaves the question to its host. Only a plain yes or no says something of the
 * library then; an approver that does anything else never meets it.
 */
export async function askHost(
  approve: ((request: unknown) => unknown) | undefined,
  request: unknown,
): Promise<boolean> {
  if (approve === undefined) return false;
  const answer = await Promise.race([answered(approve, request), later()]);
  if (typeof answer === "boolean") return answer;
  throw new NotOfferedError("the host asks, the library never meets the approver");
}

async function answered(approve: (request: unknown) => unknown, request: unknown): Promise<unknown> {
  try {
    return await approve(request);
  } catch {
    return undefined;
  }
}

function later(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ANSWER_TIMEOUT_MS).unref());
}
