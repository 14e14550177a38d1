/** Fastify and node-postgres, as one would write it: what the same requests cost without plugfest. */
import { createHash } from "node:crypto"
import Fastify from "fastify"
import pg from "pg"
import { answering } from "./answering.mjs"

const hashOf = (token) => createHash("sha256").update(token).digest("hex")

let pool
const app = Fastify()

/** One row by a prepared statement. */
const rowsOf = async (name, text, values) => (await pool.query({ name, text, values })).rows

// Requests of API clients: bearer key, one SELECT.
const keys = new Map()
const ownerOf = (request) => keys.get(hashOf((request.headers.authorization ?? "").slice("Bearer ".length)))
app.get("/bodies/:id", async (request, reply) => {
  const owner = ownerOf(request)
  if (owner === undefined) return reply.code(401).send({ success: false, message: "unknown key" })
  const [row] = await rowsOf("body", "select body from bodies where id = $1 and owner = $2", [
    request.params.id,
    owner
  ])
  if (row === undefined) return reply.code(404).send({ success: false, message: "not found" })
  return { success: true, data: row.body }
})
app.get("/pages/:id", async (request, reply) => {
  const owner = ownerOf(request)
  if (owner === undefined) return reply.code(401).send({ success: false, message: "unknown key" })
  const rows = await rowsOf(
    "page",
    "select body from entries where id = $1 and owner = $2 order by sequence limit 50",
    [request.params.id, owner]
  )
  return { success: true, data: rows.map(({ body }) => body) }
})

// Calls of a partner: the token by its hash; the exchange kept; the object upserted.
const partyOf = async (request) => {
  const token = Buffer.from((request.headers.authorization ?? "").slice("Token ".length), "base64").toString()
  const [row] = await rowsOf("token", "select party from tokens where hash = $1", [hashOf(token)])
  return row?.party
}
const envelope = (data) => ({ data, status_code: 1000, timestamp: new Date().toISOString() })
const exchangeOf = (request, answer) =>
  JSON.stringify({
    method: request.method,
    url: request.url,
    headers: { ...request.headers, authorization: "" },
    body: request.body ?? null,
    answer
  })
app.get("/versions", async (request, reply) => {
  const party = await partyOf(request)
  if (party === undefined) return reply.code(401).send({ status_code: 2001 })
  const answer = envelope([{ version: "2.2.1", url: "http://127.0.0.1/ocpi/2.2.1" }])
  await rowsOf("exchange", "insert into exchanges (party, exchange) values ($1, $2)", [
    party,
    exchangeOf(request, answer)
  ])
  return answer
})
app.put("/locations/:country/:partyId/:id", async (request, reply) => {
  const party = await partyOf(request)
  if (party === undefined) return reply.code(401).send({ status_code: 2001 })
  const answer = envelope(null)
  await rowsOf(
    "upsert",
    `with kept as (
       insert into objects (party, module, id, body) values ($1, 'locations', $2, $3)
       on conflict (party, module, id) do update set body = excluded.body)
     insert into exchanges (party, exchange) values ($1, $4)`,
    [party, request.params.id, JSON.stringify(request.body), exchangeOf(request, answer)]
  )
  return answer
})

answering({
  /** `bodies`: by id; `pages`: entries by id. Answers the port. */
  open: async ({ bodies, database, key, pages, token }) => {
    pool = new pg.Pool({ connectionString: database, max: 10 })
    await pool.query(`
      create table bodies (id text primary key, owner text not null, body json not null);
      create table entries (id text, owner text not null, sequence int, body json not null, primary key (id, sequence));
      create table tokens (hash text primary key, party text not null);
      create table objects (party text, module text, id text, body json not null, primary key (party, module, id));
      create table exchanges (id bigserial primary key, party text not null, exchange text not null)`)
    keys.set(hashOf(key), "owner")
    await pool.query("insert into tokens values ($1, 'party')", [hashOf(token)])
    for (const [id, body] of Object.entries(bodies))
      await pool.query("insert into bodies values ($1, 'owner', $2)", [id, JSON.stringify(body)])
    for (const [id, entries] of Object.entries(pages))
      for (const [sequence, body] of entries.entries())
        await pool.query("insert into entries values ($1, 'owner', $2, $3)", [
          id,
          sequence,
          JSON.stringify(body)
        ])
    await app.listen({ host: "127.0.0.1", port: 0 })
    return app.server.address().port
  }
})
