/** Runs statements. */
export interface SqlQuery {
  /**
   * Runs one statement, its values given apart as `$1`, `$2`, … It must be one that can run in a transaction.
   *
   * @returns the rows, an object each, as JSON could carry them: integers as numbers, moments as PostgreSQL writes them.
   * Rejects when the database refuses the statement.
   */
  query<Row>(text: string, params?: readonly (string | number | null)[]): Promise<readonly Row[]>;
}

/** Statements of a transaction of a driver that sends without waiting. */
export interface PipelinedQuery extends SqlQuery {
  /** Sends a statement whose rows nobody needs. If it fails, the next `query` rejects with its error, or else the transaction. */
  send(text: string, params: readonly (string | number | null)[]): void;
}

/**
 * A PostgreSQL database, version 15 or newer: the port that a driver implements. No statement leaves anything behind in the
 * database session, so connections may be pooled.
 */
export interface Sql extends SqlQuery {
  /**
   * Runs `work` in one transaction at READ COMMITTED or stricter: committed when it resolves, rolled back when it rejects.
   * `work` may be run again, in another transaction, when it is certain that the first one was not committed.
   */
  transaction<Result>(work: (query: SqlQuery) => Promise<Result>): Promise<Result>;
  /** Removes remains of deleted and replaced rows in storage, where the database does not do so by itself. */
  reclaim?(): Promise<void>;
  /** Lets go of everything. */
  close(): Promise<void>;
}
