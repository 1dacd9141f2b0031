export { createApprovals } from "../call/approval-grants.ts";
export type { Approvals, ApprovalsOptions, UsedGrants } from "../call/approval-grants.ts";
export { createApprovalDesk } from "./approval-desk.ts";
export type { ApprovalDesk, ApprovalDeskOptions, DeskAnswer, DeskApproverOptions } from "./approval-desk.ts";
export { createApprovalHandler } from "./approval-handler.ts";
export type { ApprovalHandlerOptions } from "./approval-handler.ts";
export type { ApprovalRisk, WaitingApproval } from "./waiting-approval.ts";
