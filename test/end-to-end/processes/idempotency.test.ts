/** Idempotency-Key over two server processes on one database, one of which dies between commit and answer. */
import { createHash } from "node:crypto"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { makeKey } from "../../support/service/command.ts"
import { migratedDatabase, rows } from "../../support/service/database.ts"
import {
  type Answer,
  connect,
  connectSandbox,
  type Service,
  sleep,
  startService,
  until
} from "../../support/service/Service.ts"
import { refused, succeeded } from "../../support/service/shapes.ts"
import { tried } from "../../support/tried.ts"

const api = "/api/v1"
const hold = fileURLToPath(new URL("../../support/service/holdAnswers.mjs", import.meta.url))

interface Act {
  readonly path: string
  readonly body?: object
  readonly status: number
}

describe("an Idempotency-Key", () => {
  let database: string
  let env: Record<string, string>
  let there: Service

  beforeAll(async () => {
    database = await migratedDatabase(inject("pgUrl"))
    env = { DATABASE_URL: database, LEASE_SECONDS: "4" }
    there = await startService(env)
    // What stands in front of several processes has one address; here it is that of the one that survives.
    env = { ...env, PUBLIC_URL: there.url }
  }, 60_000)
  afterAll(async () => {
    await there?.kill("SIGTERM")
  })

  const keyOf = ({ body, path }: Act) =>
    createHash("sha256")
      .update(JSON.stringify([path, body]))
      .digest("hex")
  const act = (service: Service, one: Act, key = keyOf(one)) =>
    service.call("POST", api + one.path, one.body, { "idempotency-key": key })

  /** Every act is done by a process that dies before it answers; then it is asked for again, elsewhere. */
  const afterCrash = async (
    actsAt: (here: Service) => Promise<ReadonlyArray<Act>>,
    more: Record<string, string> = {}
  ): Promise<ReadonlyArray<any>> => {
    const here = await startService({ ...env, ...more }, ["--import", hold])
    const acts = await actsAt(here)
    const heldBy = () => here.output().split("held ").length
    for (const one of acts) {
      const before = heldBy()
      act(here, one).catch(() => {})
      await until(`${one.path} to be held`, async () => (heldBy() > before ? true : undefined))
    }
    // The process is alive, and says so: this is refused soon.
    const inFlight = await act(there, acts[0]!)
    refused(inFlight, 409, /still being worked on/)
    await here.kill("SIGKILL")
    return Promise.all(
      acts.map(async (one) => {
        // Nobody knows yet that it is dead: this waits, and gets the answer.
        const data = succeeded(await act(there, one), one.status)
        const again = await act(there, one)
        const secret = data.key ?? data.tokenA
        if (typeof secret === "string") {
          refused(again, 409, new RegExp(`made ${data._id}; its (key|tokenA) was shown once`))
          assert.notInclude(again.text, secret)
        } else assert.deepStrictEqual(succeeded(again, one.status), data, "and again")
        return data
      })
    )
  }

  const counted = async (table: string, where = "true") =>
    Number((await rows(database, `SELECT count(*) n FROM ${table} WHERE ${where}`))[0].n)

  it("gives what was made by a process that died before it answered, and makes nothing twice", async () => {
    const { connectionId, partner } = await connectSandbox(there)
    const old = succeeded(
      await there.call("POST", `${api}/settings/api-keys`, { name: "old", scopes: ["read"] }),
      201
    )
    const tables = ["connection", "api_key", "scenario", "run", "command", "party WHERE kind = 'sandbox'"]
    const countAll = () =>
      Promise.all(tables.map((table) => counted(...(table.split(" WHERE ") as [string, string?]))))
    const before = await countAll()
    const inputs = { name: "mine", templateId: "first-reads" }
    const made = await afterCrash(async () => [
      {
        path: "/connections",
        status: 201,
        body: {
          partnerBaseUrl: partner.partnerBaseUrl,
          tokenA: "token-of-a-connection",
          ourRole: "EMSP",
          theirRole: "CPO",
          ocpiVersion: "2.2.1"
        }
      },
      { path: "/testing/scenarios", status: 201, body: inputs },
      { path: "/sandbox/partners", status: 201, body: { theirRole: "CPO", ocpiVersion: "2.2.1" } },
      { path: "/settings/api-keys", status: 201, body: { name: "made", scopes: ["read"] } },
      { path: `/settings/api-keys/${old._id}/roll`, status: 201, body: { overlapDays: 1 } },
      { path: "/testing/command", status: 200, body: { connectionId, command: "UNLOCK_CONNECTOR" } }
    ])
    const [, , sandbox, key, rolled] = made
    assert.deepStrictEqual(
      (await countAll()).map((count, index) => count - before[index]!),
      [1, 2, 1, 0, 1, 1]
    )
    for (const { key: text } of [key, rolled]) {
      succeeded(
        await there.call("GET", `${api}/settings/account`, undefined, { authorization: `Bearer ${text}` })
      )
    }
    await connect(there, sandbox)
    const dump = JSON.stringify(await rows(database, "SELECT i::text AS text FROM idempotency i"))
    for (const secret of [key.key, rolled.key, sandbox.tokenA]) assert.notInclude(dump, secret)
  }, 60_000)

  it("tells no other API key of the account what one key was answered, and audits what is given again", async () => {
    const keys = `${api}/settings/api-keys`
    const scopes = ["read", "run", "connections:write", "keys:write"]
    const makeWith = async (some: ReadonlyArray<string>) => {
      const made = succeeded(await there.call("POST", keys, { name: some.join(), scopes: some }), 201)
      return { id: made._id as string, bearer: { authorization: `Bearer ${made.key}` } }
    }
    const full = await makeWith(scopes)
    const small = await makeWith(["read", "keys:write"])
    const order = { name: "for-everything", scopes }
    const header = { "idempotency-key": "makes-a-full-key" }
    const first = await there.call("POST", keys, order, { ...full.bearer, ...header })
    const made = succeeded(first, 201)
    // The attack: the same request by a key that must not give such a key.
    const attack = await there.call("POST", keys, order, { ...small.bearer, ...header })
    refused(attack, 403, /cannot give it/)
    const lost = await there.call("POST", keys, order, { ...full.bearer, ...header })
    refused(lost, 409, new RegExp(`made ${made._id}.*roll the key`))
    for (const { text } of [attack, lost]) assert.notInclude(text, made.key)
    const rolled = await there.call("POST", `${keys}/${made._id}/roll`, {}, full.bearer)
    assert.isString(succeeded(rolled, 201).key, "which is how to get another one")
    // Scopes that were changed meanwhile make it another request.
    await rows(database, `UPDATE api_key SET scopes = '{read,keys:write}' WHERE id = '${full.id}'`)
    await sleep(5_500)
    refused(await there.call("POST", keys, order, { ...full.bearer, ...header }), 409, /scopes were changed/)
    const log = succeeded(await there.call("GET", `${api}/settings/audit?limit=100`))
    const replays = log.filter(({ replay }: any) => replay)
    assert.includeDeepMembers(
      replays.map(({ action, key, status }: any) => [action, key._id, status]),
      [["settings.createKey", full.id, 409]]
    )
    const dump = JSON.stringify(await rows(database, "SELECT i::text AS text FROM idempotency i"))
    assert.notInclude(dump, made.key)
  }, 60_000)

  it("starts a run once, and repeats no registration with a partner", async () => {
    const partner = succeeded(
      await there.call("POST", `${api}/sandbox/partners`, { theirRole: "CPO", ocpiVersion: "2.2.1" }),
      201
    )
    const body = { ourRole: "EMSP", theirRole: "CPO", ocpiVersion: "2.2.1", ...partner }
    const pending = succeeded(await there.call("POST", `${api}/connections`, body), 201)
    const { connectionId } = await connectSandbox(there, { speed: 1 })
    const before = await counted("run")
    const journeys = "/testing/journey-runs"
    let waiting = ""
    const startedAt = async (here: Service) => {
      const order = { connectionId, templateId: "remote-start" }
      waiting = succeeded(await here.call("POST", api + journeys, order), 202).runId
      return waiting
    }
    const [shaken, , journey, report, cancelled] = await afterCrash(async (here) => [
      { path: `/connections/${pending._id}/handshake`, status: 200 },
      { path: `/connections/${pending._id}/preflight`, status: 200 },
      {
        path: journeys,
        status: 202,
        body: { target: "sandbox", templateId: "first-reads", ocpiVersion: "2.2.1" }
      },
      { path: "/testing/runs", status: 202, body: { connectionId, suiteId: "ocpi-2.2.1-cpo-core" } },
      { path: `${journeys}/${await startedAt(here)}/cancel`, status: 200 }
    ])
    assert.strictEqual(shaken.status, "registered")
    const exchanges = succeeded(await there.call("GET", `${api}/connections/${pending._id}/exchanges`))
    const registrations = exchanges.filter(
      ({ direction, request }: any) =>
        direction === "outbound" && request.method !== "GET" && request.url.endsWith("/credentials")
    )
    assert.lengthOf(registrations, 1)
    assert.strictEqual((await counted("run")) - before, 3)
    for (const id of [journey.runId, report._id]) {
      succeeded(await there.call("GET", `${api}/testing/runs/${id}`))
    }
    assert.strictEqual(cancelled.runId, waiting)
  }, 60_000)

  it("makes whole what a process left half made", async () => {
    const { partner } = await connectSandbox(there)
    const order = { name: "half", scopes: ["read"] }
    const old = succeeded(await there.call("POST", `${api}/settings/api-keys`, order), 201)
    const counts = () => Promise.all(["connection", "api_key", "party"].map((table) => counted(table)))
    const before = await counts()
    const roles = { ourRole: "EMSP", theirRole: "CPO", ocpiVersion: "2.2.1" }
    const [connection] = await afterCrash(
      async () => [
        {
          path: "/connections",
          status: 201,
          body: { ...roles, partnerBaseUrl: partner.partnerBaseUrl, tokenA: "half", label: "half" }
        },
        { path: `/settings/api-keys/${old._id}/roll`, status: 201, body: { overlapDays: 2 } }
      ],
      // Our party is there without its connection, the new key while the old one has no end.
      { HOLD_WORDS: "INSERT INTO connection (|UPDATE api_key SET expires_at" }
    )
    assert.strictEqual(connection.label, "half")
    assert.deepStrictEqual(
      (await counts()).map((count, index) => count - before[index]!),
      [1, 1, 1]
    )
    const keys = succeeded(await there.call("GET", `${api}/settings/api-keys`))
    assert.isString(keys.find(({ _id }: any) => _id === old._id).expiresAt)
  }, 60_000)

  it("lets one of fifty at once over two processes do it, and is another one for another account", async () => {
    const here = await startService(env)
    const one: Act = {
      path: "/testing/scenarios",
      body: { name: "fifty", templateId: "first-reads" },
      status: 201
    }
    const answers: Array<Answer<any>> = await Promise.all(
      Array.from({ length: 50 }, (_, index) => act(index % 2 === 0 ? here : there, one, "fifty"))
    )
    for (const answer of answers) if (answer.status !== 201) refused(answer, 409, /still being worked on/)
    const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.data.id))
    assert.strictEqual(ids.size, 1)
    assert.strictEqual(await counted("scenario", "draft LIKE '%fifty%'"), 1)
    tried("B25", [`${answers.length} at once`], "one of them did it")
    const other = { ...one, body: { ...one.body, name: "other" } }
    refused(await act(here, other, "fifty"), 409, /another request/)
    const authorization = `Bearer ${await makeKey({ DATABASE_URL: database }, "another")}`
    const theirs = await here.call("POST", api + one.path, one.body, {
      authorization,
      "idempotency-key": "fifty"
    })
    assert.notInclude([...ids], succeeded(theirs, 201).id)
    await here.kill("SIGTERM")
  }, 60_000)
})
