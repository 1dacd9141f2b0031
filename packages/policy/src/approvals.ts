export { createApprovals } from "./approval-grants.ts";
export type { Approvals, ApprovalsOptions, UsedGrants } from "./approval-grants.ts";
export { createApprovalDesk } from "./approval-desk.ts";
export type {
  ApprovalDesk,
  ApprovalDeskOptions,
  ApprovalRisk,
  DeskAnswer,
  DeskApproverOptions,
  WaitingApproval,
} from "./approval-desk.ts";
export { createApprovalHandler } from "./approval-handler.ts";
export type { ApprovalHandlerOptions } from "./approval-handler.ts";
