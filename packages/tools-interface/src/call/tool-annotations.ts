/** A tool's effects on the world. Hosts decide by them; models never see them. The names are those of MCP. */
export interface ToolAnnotations {
  /**
   * Changes nothing. `dispatchAll` runs such calls at the same time, and the tool may have `retries`. `false` says that the
   * tool changes something: a call of it without `resource` runs alone. Default: nothing is said, and nothing ordered.
   */
  readonly readOnly?: boolean;
  /**
   * May overwrite or delete existing data. Asks for approval and is not repaired unless the tool says otherwise.
   * Default false.
   */
  readonly destructive?: boolean;
  /** A second call with the same parameters changes nothing more, so the tool may have `retries`. Default false. */
  readonly idempotent?: boolean;
  /** Reaches things beyond the host's control, such as the web. Default false. */
  readonly openWorld?: boolean;
}
