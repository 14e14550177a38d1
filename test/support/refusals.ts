/** Statements that a database must refuse, and its words. */
import { Effect } from "effect"
import type { Database } from "../../src/database/Database.ts"
import { administer } from "./TestDatabase.ts"

/** What Postgres says to the login that serves. Fails when the statement is not refused. */
export const refused = ({ pool }: Database["Type"], text: string, values: ReadonlyArray<unknown> = []) =>
  Effect.tryPromise(() => pool.query(text, [...values])).pipe(
    Effect.flip,
    Effect.map(({ cause }) => String(cause))
  )

/** What Postgres says to a superuser, whom no grant stops, but a trigger. Fails when the statement is not refused. */
export const refusedToSuperuser = ({ query }: Database["Type"], text: string) =>
  query<{ readonly name: string }>({ text: "select current_database() as name" }).pipe(
    Effect.flatMap(([database]) => Effect.flip(administer(text, database!.name))),
    Effect.map(String)
  )
