/** Databases of their own for the services of tests. */
import { randomBytes } from "node:crypto"
import pg from "pg"

/** An empty database on that cluster, as of a first start. */
export const freshDatabase = (clusterUrl: string): Promise<string> => made(clusterUrl, "")

/** A database that is migrated already, as at every start but the first; on the cluster that the whole test run shares. */
export const migratedDatabase = (clusterUrl: string): Promise<string> =>
  made(clusterUrl, "template plugfest_template strategy file_copy")

async function made(clusterUrl: string, source: string): Promise<string> {
  const name = `e2e_${randomBytes(6).toString("hex")}`
  const client = new pg.Client({ connectionString: clusterUrl })
  await client.connect()
  try {
    await create(client, name, source)
  } finally {
    await client.end()
  }
  const url = new URL(clusterUrl)
  url.pathname = `/${name}`
  return url.href
}

async function create(client: pg.Client, name: string, source: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await client.query(`create database ${name} ${source}`)
      return
    } catch (error) {
      // 55006: another test clones the template at this instant.
      if (!(error instanceof pg.DatabaseError) || error.code !== "55006" || attempt > 200) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** Rows of a query on that database. */
export async function rows(
  url: string,
  sql: string,
  values: ReadonlyArray<unknown> = []
): Promise<Array<any>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql, [...values])).rows
  } finally {
    await client.end()
  }
}
