/** The life of an API key over two server processes on one database, and by the command line. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { makeKey, plugfest } from "../../support/service/command.ts"
import { migratedDatabase, rows } from "../../support/service/database.ts"
import { connectSandbox, type Service, startService, until } from "../../support/service/Service.ts"
import { refused, succeeded } from "../../support/service/shapes.ts"

const settings = "/api/v1/settings"
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

describe("an API key", () => {
  let database: string
  let here: Service
  let there: Service

  beforeAll(async () => {
    database = await migratedDatabase(inject("pgUrl"))
    here = await startService({ DATABASE_URL: database })
    there = await startService({ DATABASE_URL: database })
  }, 90_000)
  afterAll(async () => {
    await Promise.all([here?.kill("SIGTERM"), there?.kill("SIGTERM")])
  })

  const make = async (order: object = {}, headers = {}) =>
    succeeded(
      await here.call("POST", `${settings}/api-keys`, { name: "ci", scopes: ["read"], ...order }, headers),
      201
    )

  it("is shown once, good in every process, and listed without its secret", async () => {
    const made = await make({ expiresInDays: 30 })
    assert.match(made.key, /^pf_live_[0-9A-Za-z]{39}$/)
    succeeded(await there.call("GET", `${settings}/account`, undefined, bearer(made.key)))
    const listed = succeeded(await there.call("GET", `${settings}/api-keys`))
    const one = listed.find(({ _id }: { _id: string }) => _id === made._id)
    assert.strictEqual(one.last4, made.key.slice(-4))
    assert.strictEqual(one.prefix, made.key.slice(0, 12))
    assert.isString(one.lastUsedAt)
    assert.notInclude(JSON.stringify(listed), made.key)
    const dump = await rows(database, "SELECT k::text AS text FROM api_key k")
    assert.notInclude(JSON.stringify(dump), made.key.slice(12, -4))
  })

  it("can give no more than it has, and manages no keys without the scope for it", async () => {
    const manager = await make({ scopes: ["read", "keys:write"] })
    const wish = { name: "more", scopes: ["run"] }
    refused(await there.call("POST", `${settings}/api-keys`, wish, bearer(manager.key)), 403, /"run"/)
    const reader = await make()
    refused(await there.call("POST", `${settings}/api-keys`, wish, bearer(reader.key)), 403, /keys:write/)
  })

  it("is refused for an order that is none", async () => {
    for (const [body, field] of [
      [{ name: "", scopes: ["read"] }, /name/],
      [{ name: "x", scopes: [] }, /scopes/],
      [{ name: "x", scopes: ["root"] }, /scopes/],
      [{ name: "x", scopes: ["read"], expiresInDays: 0 }, /expiresInDays/]
    ] as const) {
      refused(await here.call("POST", `${settings}/api-keys`, body), 400, field)
    }
    const { _id } = await make()
    refused(
      await here.call("POST", `${settings}/api-keys/${_id}/roll`, { overlapDays: 8 }),
      400,
      /overlapDays/
    )
  })

  it("is rolled with an overlap, in which both are good", async () => {
    const old = await make()
    const rolled = succeeded(
      await there.call("POST", `${settings}/api-keys/${old._id}/roll`, { overlapDays: 1 }),
      201
    )
    succeeded(await here.call("GET", `${settings}/account`, undefined, bearer(rolled.key)))
    succeeded(await here.call("GET", `${settings}/account`, undefined, bearer(old.key)))
    const ended = succeeded(await there.call("POST", `${settings}/api-keys/${rolled._id}/roll`), 201)
    await until("the rolled key to be refused by the other process", async () => {
      const { status } = await here.call("GET", `${settings}/account`, undefined, bearer(rolled.key))
      return status === 401 ? true : undefined
    })
    succeeded(await here.call("GET", `${settings}/account`, undefined, bearer(ended.key)))
  })

  it("ends its open streams within 5 seconds when it is revoked or expires, and those of no other key", async () => {
    const { connectionId } = await connectSandbox(here, { speed: 1 })
    const journey = { connectionId, templateId: "remote-start" }
    const { runId } = succeeded(await here.call("POST", "/api/v1/testing/journey-runs", journey), 202)
    const revoked = await make()
    const expiring = await make()
    const good = await make()
    const streams = [revoked, expiring, good].map(({ key }) => openStream(there, runId, key))
    await Promise.all(streams.map(({ opened }) => opened))
    const use = succeeded(await here.call("GET", `${settings}/account`)).limits.streams
    assert.strictEqual(use.used, 3, "streams of the other process count")

    const at = performance.now()
    succeeded(await here.call("DELETE", `${settings}/api-keys/${revoked._id}`))
    await rows(database, "UPDATE api_key SET expires_at = clock_timestamp() WHERE id = $1", [expiring._id])
    await Promise.all([streams[0]!.closed, streams[1]!.closed])
    assert.isBelow(performance.now() - at, 5000)
    assert.isFalse(streams[2]!.isClosed())
    streams[2]!.abort()
    succeeded(await here.call("POST", `/api/v1/testing/journey-runs/${runId}/cancel`))
  }, 30_000)

  it("is made, listed, rolled and revoked by the command line alike", async () => {
    const env = { DATABASE_URL: database }
    const key = await makeKey(env, "by-hand")
    const [listed] = succeeded(await here.call("GET", `${settings}/api-keys`, undefined, bearer(key)))
    const rolled = await plugfest(
      ["keys", "roll", listed._id, "--account", "by-hand", "--overlap", "2d"],
      env
    )
    assert.strictEqual(rolled.code, 0, rolled.stderr)
    const [fresh, old] = succeeded(
      await here.call("GET", `${settings}/api-keys`, undefined, bearer(rolled.stdout.trim()))
    )
    assert.strictEqual(old._id, listed._id)
    assert.isString(old.expiresAt)
    const revoked = await plugfest(["keys", "revoke", fresh._id, "--account", "by-hand"], env)
    assert.strictEqual(revoked.code, 0, revoked.stderr)
    const list = await plugfest(["keys", "list", "--account", "by-hand"], env)
    assert.match(list.stdout, new RegExp(`${fresh._id}.*revoked`))
    assert.match(list.stdout, new RegExp(`${old._id}.*expires`))
    assert.notInclude(list.stdout, key)
    const again = await plugfest(["keys", "roll", fresh._id, "--account", "by-hand"], env)
    assert.notStrictEqual(again.code, 0)
    assert.match(again.stderr, /has ended/)
  }, 60_000)

  it("leaves in the audit log what was done with it, over all processes, and no secret", async () => {
    const made = await make({ scopes: ["read", "run"], name: "audited" })
    const connection = { ourRole: "EMSP", theirRole: "CPO", ocpiVersion: "2.2.1", tokenA: "canary-in-audit" }
    const body = { ...connection, partnerBaseUrl: `${there.url}/sandbox/x/ocpi/versions` }
    refused(await there.call("POST", "/api/v1/connections", body, bearer(made.key)), 403)
    const run = { connectionId: "conn_unknown", suiteId: "none" }
    refused(await here.call("POST", "/api/v1/testing/runs", run, bearer(made.key)), 404)
    const header = { ...bearer(made.key), "idempotency-key": "audited" }
    const draft = { name: "audited", templateId: "first-reads" }
    const once = succeeded(await here.call("POST", "/api/v1/testing/scenarios", draft, header), 201)
    succeeded(await there.call("POST", "/api/v1/testing/scenarios", draft, header), 201)
    const path = `${settings}/audit?keyId=${made._id}`
    const log = succeeded(await there.call("GET", path))
    // Entries of two processes may change places: their clocks agree to some milliseconds.
    assert.sameDeepMembers(
      log.map(({ action, replay, result, status }: any) => [action, status, result, replay]),
      [
        ["scenarios.create", 201, once.id, true],
        ["scenarios.create", 201, once.id, false],
        ["testing.startRun", 404, null, false],
        ["connections.create", 403, null, false],
        ["key.used", 200, null, false]
      ]
    )
    assert.isTrue(log.every(({ key }: any) => key.name === "audited"))
    const page = await there.call("GET", `${path}&limit=2`)
    assert.include(String(page.headers.get("link")), `cursor=${log[1]._id}`)
    const rest = succeeded(await there.call("GET", `${path}&cursor=${log[1]._id}`))
    assert.deepStrictEqual(rest, log.slice(2))
    const stranger = bearer(await makeKey({ DATABASE_URL: database }, "stranger"))
    const theirs = succeeded(await there.call("GET", path, undefined, stranger))
    assert.lengthOf(theirs, 0)

    const printed = await plugfest(["keys", "audit", "--account", "stranger"], { DATABASE_URL: database })
    assert.match(printed.stdout, /settings\.createKey .*operator/)
    const dump = JSON.stringify(await rows(database, "SELECT a::text AS text FROM audit_entry a"))
    assert.notInclude(dump, "canary-in-audit")
    assert.notInclude(dump, made.key.slice(12, -4))
  }, 30_000)

  it("sees its account: plan, what that includes, limits and their use", async () => {
    const account = succeeded(await there.call("GET", `${settings}/account`))
    assert.deepInclude(account, { account: "default", plan: "unlimited" })
    assert.include(account.capabilities, "conformance")
    assert.deepInclude(account.limits.runs, { limit: 1000, per: "account" })
    assert.isAtLeast(account.limits.keys.used, 1)
    assert.deepInclude(account.limits.requests, { limit: 100_000, per: "minute and key" })
  })
})

/** A stream that is read until it ends, however it ends. */
function openStream({ url }: Service, runId: string, key: string) {
  const controller = new AbortController()
  let over = false
  const response = fetch(`${url}/api/v1/testing/journey-runs/${runId}/stream`, {
    headers: bearer(key),
    signal: controller.signal
  })
  const closed = response
    .then(async ({ body }) => {
      for await (const _ of body ?? []);
    })
    .catch(() => {})
    .then(() => {
      over = true
    })
  const opened = response.then(({ status }) => assert.strictEqual(status, 200))
  return { opened, closed, isClosed: () => over, abort: () => controller.abort() }
}
