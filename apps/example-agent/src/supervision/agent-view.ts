import type { ToolObserver } from "@dispatch/tools-interface";

/** Receives everything that happens in a run, to show it to a person. */
export interface AgentView {
  /** The model is being asked. */
  readonly turn: () => void;
  /** A piece of the model's text. */
  readonly text: (piece: string) => void;
  readonly event: ToolObserver;
  /** Something a person should know. */
  readonly notice: (text: string) => void;
  /** Something that has been done. */
  readonly note: (text: string) => void;
  /** The run is over, or waits for the person. */
  readonly rest: () => void;
  /** A call waits for a person, until the returned function is called: that time is not the call's. */
  readonly waits: (callId: string) => () => void;
  /** The name of the tool that made a running call from inside its own call, if any. */
  readonly callerOf: (callId: string) => string | undefined;
}
