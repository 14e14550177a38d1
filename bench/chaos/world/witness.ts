/** What a database that fails over is judged by: writers beside the service, and when the service is ready again. */
import pg from "pg"
import { rows } from "../../../test/support/service/database.ts"
import { type Service, until } from "../../../test/support/service/Service.ts"

/** The URL of the same database and login at another port of the host. */
export const atPort = (url: string, port: number): string => {
  const other = new URL(url)
  other.port = String(port)
  return other.href
}

/** Milliseconds until the service says that it is ready. */
export async function readyAfter(service: Service): Promise<number> {
  const began = performance.now()
  await until("the service to be ready", async () =>
    (await service.call("GET", "/health/ready")).status === 200 ? true : undefined
  )
  return performance.now() - began
}

/** The lines of all ledgers of this database. */
export const linesOf = async (url: string): Promise<number> =>
  (await rows(url, "select count(*)::int as n from ledger_event"))[0].n

/** The rows of this writer that are there. */
export const witnessed = async (url: string, writer: string): Promise<number> =>
  (await rows(url, "select count(*)::int as n from witness where writer = $1", [writer]))[0].n

/**
 * Adds one row after the other to the table `witness (writer text, n int)`, until the server is gone; returns how many were
 * acknowledged.
 */
export async function witness(
  url: string,
  writer: string,
  synchronousCommit: "on" | "local"
): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  client.on("error", () => {}) // the statement fails too
  await client.connect()
  await client.query(`set synchronous_commit = ${synchronousCommit}`)
  for (let n = 0; ; n++) {
    try {
      await client.query("insert into witness values ($1, $2)", [writer, n])
    } catch {
      return n
    }
  }
}
