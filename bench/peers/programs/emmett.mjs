/** Emmett's event store on Postgres: one event of one stream an append, its expected version checked. */
import { getPostgreSQLEventStore } from "@event-driven-io/emmett-postgresql"
import pg from "pg"
import { answering, rateOf } from "./answering.mjs"

let store
let made = 0

answering({
  open: async ({ database }) => {
    const pool = new pg.Pool({ connectionString: database, max: 64 })
    store = getPostgreSQLEventStore(database, { connectionOptions: { pooled: true, pool } })
    await store.schema.migrate()
  },
  appends: async ({ data, runs, seconds }) => {
    made += 1
    const streams = Array.from({ length: runs }, (_, n) => ({ name: `run-${made}-${n}`, version: undefined }))
    return rateOf(runs, seconds, async (index) => {
      const stream = streams[index]
      const expected = stream.version === undefined ? {} : { expectedStreamVersion: stream.version }
      const { nextExpectedStreamVersion } = await store.appendToStream(
        stream.name,
        [{ type: "exchange.completed", data }],
        expected
      )
      stream.version = nextExpectedStreamVersion
    })
  }
})
