/** What a session of Postgres gives to its client, tried without any code of ours: through a pooler some of it may be gone. */
import pg from "pg"
import { sleep } from "../../../test/support/service/Service.ts"

/** What worked. */
export interface SessionWork {
  /** A statement prepared by two clients under one name. */
  readonly prepared: boolean
  /** A notification was heard by who listens. */
  readonly heard: boolean
  /** An advisory lock of a session kept another client out. */
  readonly excluded: boolean
}

/** Tries it with two clients at `url`; `direct`: the same database without the pooler, from which is notified. */
export async function trySessionWork(url: string, direct: string): Promise<SessionWork> {
  const [one, other, notifier] = [url, url, direct].map((at) => new pg.Client({ connectionString: at })) as [
    pg.Client,
    pg.Client,
    pg.Client
  ]
  const clients = [one, other, notifier]
  let heard = false
  try {
    for (const client of clients) {
      client.on("error", () => {}) // the statement fails too
      await client.connect()
    }
    one.on("notification", () => {
      heard = true
    })
    await one.query("listen session_work")
    await notifier.query("notify session_work")
    await sleep(1000)
    await one.query("select 1")
    const [{ taken }] = (
      await one
        .query("select pg_advisory_lock(471101)")
        .then(() => other.query("select pg_try_advisory_lock(471101) as taken"))
    ).rows as [{ taken: boolean }]
    const statement = { name: "session_work", text: "select $1::int as n", values: [1] }
    const prepared = await one
      .query(statement)
      .then(() => other.query(statement))
      .then(
        () => true,
        () => false
      )
    return { prepared, heard, excluded: !taken }
  } finally {
    for (const client of clients) await client.end().catch(() => {})
  }
}
