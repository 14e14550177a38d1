/**
 * A connection is removed while its handshake, or something else that needs it, is under way in another process on the
 * same database. The partner keeps a table of its own: nobody may stand there whom we have forgotten.
 */
import pg from "pg"
import { afterAll, assert, beforeAll, beforeEach, describe, inject, it } from "vitest"
import { migratedDatabase, rows } from "../../support/service/database.ts"
import { type RegistryPartner, registryPartner } from "../../support/service/RegistryPartner.ts"
import { type Answer, freePort, type Service, startService, until } from "../../support/service/Service.ts"

const api = "/api/v1"
const patient = 60_000

describe("a connection that is removed", () => {
  let url: string
  let env: Record<string, string>
  /** Does the handshakes. */
  let owner: Service
  /** Does the removals. */
  let other: Service
  let partner: RegistryPartner

  beforeAll(async () => {
    const port = await freePort()
    url = await migratedDatabase(inject("pgUrl"))
    env = {
      DATABASE_URL: url,
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 5).toString("base64")}`,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      EGRESS_ALLOW_CIDRS: "127.0.0.1/32"
    }
    owner = await startService({ ...env, PORT: String(port) })
    other = await startService(env)
  }, patient)
  beforeEach(async () => {
    partner?.close()
    partner = await registryPartner()
  })
  afterAll(async () => {
    partner?.close()
    await Promise.all([owner?.kill("SIGTERM"), other?.kill("SIGTERM")])
  })

  const create = async () => {
    const { body, text } = await owner.call("POST", `${api}/connections`, {
      partnerBaseUrl: partner.versionsUrl,
      tokenA: partner.invite(),
      ourRole: "EMSP",
      theirRole: "CPO",
      ocpiVersion: "2.2.1"
    })
    assert.isTrue(body.success, text)
    return body.data._id as string
  }
  const handshake = (id: string, by = owner) => by.call("POST", `${api}/connections/${id}/handshake`)
  const remove = (id: string, by = other) => by.call("DELETE", `${api}/connections/${id}`)
  const registered = async () => {
    const id = await create()
    const { body, text } = await handshake(id)
    assert.strictEqual(body.data?.status, "registered", text)
    return id
  }
  const is = (answer: Answer, status: number, message?: RegExp) => {
    assert.strictEqual(answer.status, status, answer.text)
    if (message !== undefined) assert.match(answer.body.message ?? "", message)
  }
  /** Whoever had it open is taken for dead: as after three minutes. */
  const givenUp = (id: string) =>
    rows(
      url,
      `UPDATE party SET document = jsonb_set(document::jsonb, '{open,since}', '"2026-01-01T00:00:00.000Z"'),
         revision = revision + 1
       WHERE id = $1`,
      [id]
    )
  const waiting = (many: number) =>
    until(`${many} statements to wait for the row`, async () => {
      const [found] = await rows(
        url,
        `SELECT count(*)::int many FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE '%update party%'`
      )
      return found.many >= many ? true : undefined
    })

  for (const place of ["versions", "POST", "accepted"] as const) {
    it(
      `waits for a handshake that is at ${place}, by 409, and is unregistered after it`,
      async () => {
        const id = await create()
        const { arrived, release } = partner.hold(place)
        const shaking = handshake(id)
        await arrived
        for (const by of [owner, other])
          is(await remove(id, by), 409, /handshake of this connection is under way/)
        release()
        assert.strictEqual((await shaking).body.data.status, "registered")
        const removed = await remove(id)
        is(removed, 200)
        assert.isTrue(removed.body.data.partnerTold, removed.text)
        assert.strictEqual(partner.registrations.size, 0)
      },
      patient
    )
  }

  it(
    "is not registered any more by a handshake that was taken for dead before it sent its POST",
    async () => {
      const id = await create()
      const { arrived, release } = partner.hold("versions")
      const shaking = handshake(id)
      await arrived
      await givenUp(id)
      is(await remove(id), 200)
      release()
      is(await shaking, 404, /deleted before our POST credentials; it was not sent/)
      assert.deepStrictEqual(partner.asked, [])
      assert.strictEqual(partner.registrations.size, 0)
    },
    patient
  )

  for (const place of ["POST", "accepted"] as const) {
    it(
      `is unregistered by a handshake that was taken for dead while it was at ${place}`,
      async () => {
        const id = await create()
        const { arrived, release } = partner.hold(place)
        const shaking = handshake(id)
        await arrived
        await givenUp(id)
        const removed = await remove(id)
        is(removed, 200)
        assert.deepInclude(removed.body.data, { partnerTold: false })
        assert.match(removed.body.data.message, /the partner may keep a registration/)
        release()
        is(await shaking, 404, /we undid it: the partner confirmed the end of the registration/)
        assert.deepStrictEqual(partner.asked, ["POST", "DELETE"])
        assert.strictEqual(partner.registrations.size, 0)
        is(await owner.call("GET", `${api}/connections/${id}`), 404)
      },
      patient
    )
  }

  for (const first of ["the removal", "the answer"] as const) {
    it(
      `leaves nobody when ${first} is stored first, and the other one right after it`,
      async () => {
        const id = await create()
        const { arrived, release } = partner.hold("accepted")
        const shaking = handshake(id)
        await arrived
        await givenUp(id)
        const lock = new pg.Client({ connectionString: url })
        await lock.connect()
        await lock.query("BEGIN")
        await lock.query("SELECT 1 FROM party WHERE id = $1 FOR UPDATE", [id])
        if (first === "the answer") {
          release()
          await waiting(1)
        }
        const removing = remove(id)
        await waiting(first === "the answer" ? 2 : 1)
        if (first === "the removal") {
          release()
          await waiting(2)
        }
        await lock.query("COMMIT")
        await lock.end()
        is(await removing, 200)
        const shaken = await shaking
        assert.include([200, 404], shaken.status, shaken.text)
        assert.deepStrictEqual(partner.asked.slice(0, 2), ["POST", "DELETE"])
        assert.strictEqual(partner.registrations.size, 0)
      },
      patient
    )
  }

  it(
    "says so when the process of the handshake was killed before it had the answer",
    async () => {
      const third = await startService(env)
      const id = await create()
      const { arrived, release } = partner.hold("accepted")
      const shaking = handshake(id, third).catch(() => undefined)
      await arrived
      await third.kill("SIGKILL")
      await shaking
      release()
      is(await remove(id), 409, /three minutes at most/)
      await givenUp(id)
      const removed = await remove(id)
      is(removed, 200)
      assert.isFalse(removed.body.data.partnerTold)
      assert.match(removed.body.data.message, /cut short .* Ask the partner to remove it$/)
      // Its token went down with the process: nobody but the partner can end this one.
      assert.strictEqual(partner.registrations.size, 1)
    },
    patient
  )

  it(
    "is left alone by handshakes, runs and renewals while the partner is being told",
    async () => {
      const id = await registered()
      const [tokenB] = [...partner.registrations.values()]
      const { arrived, release } = partner.hold("DELETE")
      const removing = remove(id)
      await arrived
      is(await handshake(id), 409, /under way, or its removal/)
      is(await owner.call("POST", `${api}/connections/${id}/invitation`), 409)
      const run = { connectionId: id, suiteId: "ocpi-2.2.1-cpo-core", modules: ["versions"] }
      is(await owner.call("POST", `${api}/testing/runs`, run), 409, /under way, or its removal/)
      const renewal = await fetch(`${owner.url}/ocpi/2.2.1/credentials`, {
        method: "PUT",
        headers: { authorization: `Token ${btoa(tokenB ?? "")}`, "content-type": "application/json" },
        body: JSON.stringify({ token: "a-new-token-of-the-partner", url: partner.versionsUrl, roles: [] })
      })
      assert.strictEqual(renewal.status, 405, await renewal.text())
      const again = remove(id, owner)
      release()
      for (const answer of await Promise.all([removing, again])) assert.include([200, 404], answer.status)
      assert.strictEqual(partner.registrations.size, 0)
    },
    patient
  )

  it(
    "has no run that began while it was looked whether there is one",
    async () => {
      for (let round = 0; round < 4; round++) {
        const id = await registered()
        const gate = "runs:own_default"
        const [found] = await rows(url, "SELECT owner_id FROM party WHERE id = $1", [id])
        const name = gate.replace("own_default", found.owner_id)
        await rows(
          url,
          "INSERT INTO gate (name, ticket, until) VALUES ($1, 'test', clock_timestamp() + interval '9 seconds')",
          [name]
        )
        const run = { connectionId: id, suiteId: "ocpi-2.2.1-cpo-core", modules: ["versions"] }
        // A run that had ended before the removal got the gate would not be in its way.
        const { release } = partner.hold("versions")
        const both = [owner.call("POST", `${api}/testing/runs`, run), remove(id)] as const
        await new Promise((resolve) => setTimeout(resolve, 200))
        await rows(url, "DELETE FROM gate WHERE name = $1 AND ticket = 'test'", [name])
        const [started, removed] = await Promise.all(both)
        const pair = `${started.status} ${removed.status}`
        assert.include(["202 409", "404 200", "409 200"], pair, `${started.text} ${removed.text}`)
        release()
        if (removed.status === 200) assert.strictEqual(partner.registrations.size, 0)
        partner.close()
        partner = await registryPartner()
      }
    },
    patient
  )

  it(
    "is there or not, and registered or not, on both sides alike after a dozen races",
    async () => {
      const seen = new Map<string, number>()
      for (let round = 0; round < 12; round++) {
        const id = await create()
        const late = new Promise<void>((resolve) => setTimeout(resolve, round * 3))
        // By turns the one and the others have the first word.
        const [first, then] = round % 2 === 0 ? [undefined, late] : [late, undefined]
        const answers = await Promise.all([
          (first ?? Promise.resolve()).then(() => handshake(id)),
          (then ?? Promise.resolve()).then(() => remove(id)),
          (then ?? Promise.resolve()).then(() => remove(id, owner))
        ])
        for (const { status, text } of answers) assert.isBelow(status, 500, text)
        const pair = answers.map(({ status }) => status).join(" ")
        seen.set(pair, (seen.get(pair) ?? 0) + 1)
        const after = await owner.call("GET", `${api}/connections/${id}`)
        const stands = after.status === 200 && after.body.data.status === "registered"
        assert.strictEqual(partner.registrations.size, stands ? 1 : 0, `${pair}: ${after.text}`)
        if (after.status === 200) is(await remove(id), 200)
        assert.strictEqual(partner.registrations.size, 0, pair)
      }
      process.stdout.write(`races (handshake, removal, removal): ${JSON.stringify([...seen])}\n`)
    },
    2 * patient
  )
})
