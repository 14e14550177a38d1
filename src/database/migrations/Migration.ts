/** A change of the database's schema, run once per database inside one transaction. */
export interface Migration {
  /** Number of the file; migrations run in this order. */
  readonly id: number
  readonly name: string
  /** What takes long and lets others read and write meanwhile. */
  readonly before?: {
    /** Each runs in a transaction of its own, before that of the migration, and again after a start that did not get to the end. */
    readonly steps: ReadonlyArray<string>
    /** Runs when the migration fails for good, so that the release before can go on; must be safe to run at any time. */
    readonly undo: string
  }
  /**
   * SQL text, several statements allowed. `role` is the quoted name of the role that our connections run as: it has
   * SELECT, INSERT, UPDATE and DELETE on every new table by default privileges; REVOKE here what it must not do.
   */
  readonly sql: (role: string) => string
}
