/** Options of `openDbosEngine`. */
export interface DbosEngineOptions {
  /** The database, such as `postgres://user:password@host/database`. */
  readonly url: string;
  /**
   * Whether this process takes submitted steps and those of processes that died: it has to call `serve` with the tools
   * then, and holds its steps until it does. `false` for one that only dispatches, submits, answers and looks. Default
   * true.
   */
  readonly serves?: boolean;
  /**
   * Most connections of this process, DBOS's own included; at least 4. One holds the lock that says this process lives,
   * one receives DBOS's notices, the others run statements. Default 5: a server of 100 connections takes 19 workers.
   */
  readonly maxConnections?: number;
  /** Most steps of others that DBOS gives to this process at a time. Default 16. */
  readonly maxTaken?: number;
  /** How long a process that died may go unnoticed, in milliseconds. Default 2,000. */
  readonly takeoverMs?: number;
  /** Receives the errors that DBOS would log, such as a lost connection that it asks for again. Default: dropped. */
  readonly onError?: (error: unknown) => void;
}
