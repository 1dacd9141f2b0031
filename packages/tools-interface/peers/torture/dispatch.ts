import { dispatchSubject } from "@dispatch/check";
import type { Peer } from "./peer.ts";

/** This package: a registry that dispatches. */
export const dispatch: Peer = {
  name: "dispatch",
  packageName: "@dispatch/tools-interface",
  path: "`registry.dispatch(call, options)`; the text of the result",
  options: "`timeoutMs`, `output` and `needsApproval` of the tool, `signal`, `approve`, `transcript`, `onEvent`",
  notOffered: "",
  subject: dispatchSubject(),
};
