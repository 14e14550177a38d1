/** A database of its own on the cluster that the whole test run shares. */
import { randomBytes } from "node:crypto"
import pg from "pg"

export async function freshDatabase(clusterUrl: string): Promise<string> {
  const name = `e2e_${randomBytes(6).toString("hex")}`
  const client = new pg.Client({ connectionString: clusterUrl })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(clusterUrl)
  url.pathname = `/${name}`
  return url.href
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
