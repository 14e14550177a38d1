/** A change of the database's schema, run once per database inside one transaction. */
export interface Migration {
  /** Number of the file; migrations run in this order. */
  readonly id: number
  readonly name: string
  /**
   * SQL text, several statements allowed. `role` is the quoted name of the role that our connections run as: it has
   * SELECT, INSERT, UPDATE and DELETE on every new table by default privileges; REVOKE here what it must not do.
   */
  readonly sql: (role: string) => string
}
