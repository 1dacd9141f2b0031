/** The parts of the package `pg` that are used. */
export interface PostgresDriver {
  readonly Client: new (options: { readonly connectionString: string; readonly keepAlive: boolean }) => PostgresClient;
}

/** The result of a statement. */
interface PostgresRows {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly rowCount: number | null;
}

/** Several connections. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): Promise<PostgresRows>;
}

/** One connection. */
export interface PostgresClient {
  connect(): Promise<unknown>;
  query(text: string, values?: unknown[]): Promise<PostgresRows>;
  on(event: "notification" | "end", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  end(): Promise<void>;
}
