/** Row 6: whoever knows an Idempotency-Key asks again with a key of his own, to be told what was told to somebody else. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { makeKey } from "../support/service/command.ts"
import { migratedDatabase, rows } from "../support/service/database.ts"
import type { Service } from "../support/service/Service.ts"
import { api, attack, local, shown, Victim } from "./support/attack.ts"
import { connected, type Partner, startPartner } from "./support/partner.ts"

const scopes = ["read", "run", "connections:write", "keys:write"] as const
/** Every set of scopes but that of all. */
const less = Array.from({ length: 15 }, (_, bits) =>
  scopes.filter((_, at) => (bits & (1 << at)) !== 0)
).filter((one) => one.length > 0)

describe("an Idempotency-Key of somebody else", () => {
  let victim: Victim
  let service: Service
  let database: string
  let partner: Partner
  const keys = new Map<string, string>()
  const told: Array<string> = []
  let requests = 0

  const made = async (name: string, of: ReadonlyArray<string>): Promise<string> =>
    (await api(service, "/settings/api-keys", { method: "POST", body: { name, scopes: of } })).json.data.key

  beforeAll(async () => {
    database = await migratedDatabase(inject("pgUrl"))
    victim = new Victim({ ...local, DATABASE_URL: database })
    service = await victim.alive()
    partner = await startPartner()
    for (const of of less) keys.set(of.join("+"), await made(of.join("+"), of))
    keys.set("all scopes, another key", await made("all", scopes))
    keys.set("another account", await makeKey({ DATABASE_URL: database }, "another"))
  }, 60_000)
  afterAll(async () => {
    attack("6", `${requests} replays by ${keys.size} other keys`, `secrets told ${told.length}`)
    await victim?.end()
    partner?.close()
  })

  const audited = async () => Number((await rows(database, "SELECT count(*) n FROM audit_entry"))[0].n)

  /** What tells a secret once: the request, and where the secret stands in the first answer. */
  const secrets: Readonly<
    Record<string, () => Promise<readonly [path: string, body: object, field: string]>>
  > = {
    "a new API key": async () => ["/settings/api-keys", { name: "full", scopes }, "key"],
    "a roll of an API key": async () => {
      const old = await api(service, "/settings/api-keys", { method: "POST", body: { name: "old", scopes } })
      return [`/settings/api-keys/${old.json.data._id}/roll`, { overlapDays: 1 }, "key"]
    },
    "an invitation": async () => [
      `/connections/${await connected(service, partner)}/invitation`,
      {},
      "token"
    ],
    "a sandbox partner": async () => [
      "/sandbox/partners",
      { theirRole: "CPO", ocpiVersion: "2.2.1" },
      "tokenA"
    ]
  }

  for (const [what, ask] of Object.entries(secrets)) {
    it(`tells nobody the secret of ${what}`, async () => {
      const [path, body, field] = await ask()
      const idempotencyKey = `replay-of-${path.length}-${Math.random()}`
      const headers = { "idempotency-key": idempotencyKey }
      const first = await api(service, path, { method: "POST", headers, body })
      assert.strictEqual(first.status, 201, first.text)
      const secret: string = first.json.data[field]
      assert.isAbove(secret.length, 15)
      const here: Array<string> = []
      for (const [name, key] of keys) {
        requests += 1
        const before = await audited()
        const again = await api(service, path, {
          method: "POST",
          headers: { ...headers, authorization: `Bearer ${key}` },
          body
        })
        assert.isTrue(again.status > 0 && again.status < 500, `${again.status} ${again.text}`)
        if (again.text.includes(secret)) here.push(`${name}: ${again.status} ${shown(again.text, 120)}`)
        // What is answered with success is written down, a replay like any other.
        if (again.status < 300 && (await audited()) === before)
          here.push(`${name}: ${again.status}, not audited`)
      }
      told.push(...here)
      assert.deepStrictEqual(here, [])
    }, 30_000)
  }

  it("tells a key that is revoked nothing, and one that was made after it no more", async () => {
    const owner = await made("short", ["keys:write", "read"])
    const headers = { "idempotency-key": "of-a-revoked-key", authorization: `Bearer ${owner}` }
    const body = { name: "made", scopes: ["read"] }
    const first = await api(service, "/settings/api-keys", { method: "POST", headers, body })
    assert.strictEqual(first.status, 201, first.text)
    const all = await api(service, "/settings/api-keys")
    const { _id } = all.json.data.find((one: any) => owner.endsWith(one.last4) && one.name === "short")
    assert.strictEqual((await api(service, `/settings/api-keys/${_id}`, { method: "DELETE" })).status, 200)
    const gone = await api(service, "/settings/api-keys", { method: "POST", headers, body })
    assert.strictEqual(gone.status, 401, gone.text)
    const heir = await made("short", ["keys:write", "read"])
    const again = await api(service, "/settings/api-keys", {
      method: "POST",
      headers: { ...headers, authorization: `Bearer ${heir}` },
      body
    })
    requests += 2
    if (again.text.includes(first.json.data.key)) told.push("heir")
    assert.notInclude(again.text, first.json.data.key, "the secret goes to another key")
  }, 30_000)

  it("is written down when its own owner asks again", async () => {
    const headers = { "idempotency-key": "mine-again" }
    const body = { name: "mine", scopes: ["read"] }
    const ask = () => api(service, "/settings/api-keys", { method: "POST", headers, body })
    assert.strictEqual((await ask()).status, 201)
    const before = await audited()
    const again = await ask()
    assert.isBelow(again.status, 500, again.text)
    assert.isAbove(await audited(), before, "a replay leaves a line in the audit log")
  }, 30_000)

  it("shows nothing in the database that would tell the secret", async () => {
    const headers = { "idempotency-key": "in-the-database" }
    const body = { name: "stored", scopes: ["read"] }
    const first = await api(service, "/settings/api-keys", { method: "POST", headers, body })
    const stored = JSON.stringify(await rows(database, "SELECT row_to_json(i)::text t FROM idempotency i"))
    assert.notInclude(stored, first.json.data.key)
  })
})
