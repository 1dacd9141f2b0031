import type { MemoryAdmin } from "../block/memory-admin.ts";
import type { MemoryManager, WriteResult } from "../block/memory-manager.ts";
import type { PendingMutation } from "../block/mutation.ts";
import { toPromptJson } from "../text/escape-invisible.ts";
import { refuse } from "../text/refusal.ts";

/** A person's answer to a proposal: `true` to approve it as it is, a reason to reject it, `undefined` to leave it waiting. */
export type Approval = true | { readonly reject: string } | undefined;

/**
 * Asks a person about a proposal that the agent has just made, for a host without a screen for `admin.pending()`. Its
 * answer counts as the person's: an approved text gets high trust, so the function must not decide by itself.
 */
export type Approve = (proposal: PendingMutation) => Approval | Promise<Approval>;

/**
 * A manager whose queued proposals are put before `approve` at once. The agent then reads the outcome. If
 * `approve` fails, the proposal goes on waiting.
 */
export function withApprover(
  manager: MemoryManager,
  admin: Pick<MemoryAdmin, "approve" | "reject">,
  approve: Approve,
): MemoryManager {
  const settle = async (result: WriteResult): Promise<WriteResult> => {
    if (result.outcome !== "queued") return result;
    const { id, label } = result.mutation;
    let answer: Approval;
    try {
      answer = await approve(result.mutation);
    } catch {
      return result;
    }
    if (answer === true) return admin.approve(id);
    if (answer === undefined) return result;
    const rejected = await admin.reject(id, answer.reject);
    if (rejected.outcome === "refused") return result;
    return refuse(
      "rejected_before",
      `Write to ${label} refused: the person rejected it (${toPromptJson(answer.reject)}); do not send it again`,
    );
  };
  return Object.freeze({
    ...manager,
    write: async (request) => settle(await manager.write(request)),
    edit: async (request) => settle(await manager.edit(request)),
    move: async (request) => settle(await manager.move(request)),
    remove: async (request) => settle(await manager.remove(request)),
  } satisfies MemoryManager);
}
