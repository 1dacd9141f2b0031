import { ToolError, type DefaultedField, type ApprovalRequest, type Approver } from "@dispatch/tools-interface";
import { checkOptions, isJsonObject } from "@dispatch/tools-interface/internal";
import { fromBase64Url, hmacSignature, isSignedWith, toBase64Url } from "./hmac-signature.ts";

/** Remembers which grants have been used. Processes that share a secret have to share this too. */
export interface UsedGrants {
  /**
   * Marks a grant as used, atomically: of two callers at the same time only one may receive `true`. `false` if it was
   * used before. An entry can be forgotten once `expiresAt`, Unix time in milliseconds, has passed.
   */
  use(id: string, expiresAt: number): boolean | Promise<boolean>;
}

/** Options of {@link createApprovals}. */
export interface ApprovalsOptions {
  /** Signs grants: at least 32 characters or bytes, the same in every process that grants or checks. Default random. */
  readonly secret?: string | Uint8Array;
  /** How long a grant is good for, in milliseconds. Default 600,000 (ten minutes). */
  readonly expiresInMs?: number;
  /** Default: in the memory of this process. */
  readonly used?: UsedGrants;
}

/** Grants and checks approvals that are given later than they are asked for. Made by {@link createApprovals}. */
export interface Approvals {
  /**
   * A yes to exactly this call: text that can be stored and sent, and is good for one run. Pass the whole request: with
   * its `callDigest` and `defaults` the call runs with the defaults that were shown, although they are computed anew.
   */
  grant(request: Pick<ApprovalRequest, "digest"> & Partial<Pick<ApprovalRequest, "callDigest" | "defaults">>): string;
  /**
   * An approver that says yes to calls which one of the grants was made for, and otherwise leaves it to `otherwise`.
   * A grant for other arguments, another call or a tool that has changed, an expired, used or forged one counts as none.
   *
   * @param otherwise Default: says no.
   */
  approver(grants: Iterable<string>, otherwise?: Approver): Approver;
}

const MIN_SECRET = 32;

/**
 * Approvals that outlive the question: the first dispatch ends as `approval_pending` or denied, a person grants it later,
 * and the same call dispatched again runs once. Signed, so that nothing has to be stored but the grant (AI SDK signs its
 * approvals too; these also name the tool's fingerprint and expire).
 *
 * @throws {ToolError} Code `weak_secret` when the secret is shorter than 32.
 * @throws {RangeError} When `expiresInMs` is not a finite number above 0.
 *
 * @example
 * ```ts
 * const approvals = createApprovals({ secret: "at least 32 characters from your store of secrets" });
 * const asked: ApprovalRequest[] = [];
 * const ask = (request: ApprovalRequest) => (asked.push(request), { approved: false, pending: true });
 * await registry.dispatch(call, { approve: ask }); // code approval_pending
 * const grant = approvals.grant(asked[0]!); // when a person has agreed
 * await registry.dispatch(call, { approve: approvals.approver([grant], ask) }); // runs
 * ```
 */
export function createApprovals(options: ApprovalsOptions = {}): Approvals {
  checkOptions("create approvals", options, { secret: true, expiresInMs: true, used: true });
  const { secret, expiresInMs = 600_000, used } = options;
  const key = secret ?? crypto.getRandomValues(new Uint8Array(MIN_SECRET));
  if (key.length < MIN_SECRET) {
    throw new ToolError(
      `Cannot create approvals: the secret has ${key.length} characters, allowed are ${MIN_SECRET} or more`,
      { code: "weak_secret" },
    );
  }
  if (typeof expiresInMs !== "number" || !(expiresInMs > 0 && expiresInMs <= Number.MAX_SAFE_INTEGER)) {
    throw new RangeError(
      `Cannot create approvals: expiresInMs is ${String(expiresInMs)}, allowed is a finite number above 0`,
    );
  }
  const usedGrants = used ?? new UsedInMemory();
  return {
    grant({ digest, callDigest, defaults }) {
      const shown = callDigest !== undefined && defaults?.length ? { callDigest, defaults } : {};
      const claims = { digest, ...shown, expiresAt: Date.now() + expiresInMs, id: crypto.randomUUID() };
      const body = toBase64Url(new TextEncoder().encode(JSON.stringify(claims)));
      return `${body}.${hmacSignature(key, body)}`;
    },
    approver(grants, otherwise) {
      const all = [...grants];
      return async (request) => {
        for (const grant of all) {
          const claims = readGrant(grant, key);
          if (claims === undefined || !isFor(claims, request) || !(claims.expiresAt > Date.now())) continue;
          if ((await usedGrants.use(claims.id, claims.expiresAt)) !== true) continue;
          return claims.digest === request.digest ? true : { approved: true, defaults: claims.defaults ?? [] };
        }
        return otherwise?.(request) ?? { approved: false, reason: "there is no grant for this call" };
      };
    },
  };
}

interface Claims {
  readonly digest: string;
  readonly callDigest?: string;
  readonly defaults?: readonly DefaultedField[];
  readonly expiresAt: number;
  readonly id: string;
}

/** The call as it was shown, or the same call with defaults that were computed anew. */
function isFor({ digest, callDigest }: Claims, request: ApprovalRequest): boolean {
  return digest === request.digest || (callDigest !== undefined && callDigest === request.callDigest);
}

/** The claims of a grant, if it was made with the same secret. */
function readGrant(grant: unknown, key: string | Uint8Array): Claims | undefined {
  const [body = "", signature = ""] = typeof grant === "string" ? grant.split(".") : [];
  if (!isSignedWith(key, body, signature)) return undefined;
  const claims: unknown = JSON.parse(new TextDecoder().decode(fromBase64Url(body)));
  return isJsonObject(claims) ? (claims as unknown as Claims) : undefined;
}

class UsedInMemory implements UsedGrants {
  readonly #used = new Map<string, number>();
  /** The latest time seen: a clock that is put back makes no grant valid again that has been forgotten. */
  #latest = 0;

  use(id: string, expiresAt: number): boolean {
    this.#latest = Math.max(this.#latest, Date.now());
    for (const [known, until] of this.#used) if (until <= this.#latest) this.#used.delete(known);
    if (expiresAt <= this.#latest || this.#used.has(id)) return false;
    this.#used.set(id, expiresAt);
    return true;
  }
}
