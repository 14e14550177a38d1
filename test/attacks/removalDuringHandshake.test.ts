/** Row 9: a connection is removed while its handshake is open, at each of its steps, by the same process and by another. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../support/service/database.ts"
import { freePort, type Service, sleep, startService } from "../support/service/Service.ts"
import { api, attack, type Heard, isRefusal, local, shown, Victim } from "./support/attack.ts"
import { connected, type Partner, registered, startPartner } from "./support/partner.ts"

/** What the partner is asked in a handshake; at each of these it takes its time. */
const steps = ["GET /versions", "GET /details", "POST /credentials", "DELETE /credentials"] as const

describe("a connection that is removed while its handshake is open", () => {
  let victim: Victim
  let here: Service
  let there: Service
  const partners: Array<Partner> = []
  let plays = 0
  let orphans = 0
  let faults = 0
  const statuses = new Map<string, number>()

  beforeAll(async () => {
    const env = {
      ...local,
      DATABASE_URL: await migratedDatabase(inject("pgUrl")),
      PARTNER_TIMEOUT_SECONDS: "20"
    }
    victim = new Victim(env)
    here = await victim.alive()
    there = await startService({ ...env, PORT: String(await freePort()), PUBLIC_URL: here.url })
  }, 60_000)
  afterAll(async () => {
    attack(
      "9",
      `${plays} interleavings over two processes`,
      [...statuses].map(([kind, many]) => `${many} × ${kind}`).join(", "),
      `${faults} answers of 5xx`,
      `${orphans} orphan registrations at the partner`
    )
    await there?.kill("SIGTERM")
    await victim?.end()
    for (const one of partners) one.close()
  })

  /** Holds the first request of that step until it is let go. */
  const holding = (partner: Partner, step: string, after: () => void) => {
    let letGo = () => {}
    const gone = new Promise<void>((resolve) => {
      letGo = resolve
    })
    let held = false
    partner.answer = async (seen, ordinary) => {
      if (!held && `${seen.method} ${seen.path.split("?")[0]}` === step) {
        held = true
        after()
        await Promise.race([gone, sleep(6000)])
      }
      return ordinary
    }
    return letGo
  }
  /** Does the partner believe that it is registered? Its answer to a POST or PUT says yes, a DELETE says no. */
  const believes = (partner: Partner) =>
    partner.seen.filter(({ method, path }) => path.startsWith("/credentials") && method !== "GET").at(-1)
      ?.method !== "DELETE" &&
    partner.seen.some(({ method, path }) => path.startsWith("/credentials") && method !== "GET")

  const settled = async (
    what: string,
    partner: Partner,
    id: string,
    answers: ReadonlyArray<readonly [string, Heard]>
  ) => {
    plays += 1
    for (const [name, heard] of answers) {
      if (heard.status === 0 || heard.status >= 500) faults += 1
      const kind = `${name} ${heard.status}`
      statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
      assert.isTrue(
        heard.status > 0 && heard.status < 500,
        `${what}: ${name} was answered ${heard.status} ${shown(heard.text)}`
      )
      if (heard.status >= 400) isRefusal(`${what}: ${name}`, heard)
    }
    // What is still under way is over in a few seconds.
    let isOrphan = true
    for (let at = 0; at < 25 && isOrphan; at += 1) {
      const view = await api(here, `/connections/${id}`)
      const isGone = view.status === 404
      const isRegistered = view.json?.data?.status === "registered"
      isOrphan = isGone ? believes(partner) : isRegistered !== believes(partner)
      if (isOrphan) await sleep(200)
    }
    if (isOrphan) orphans += 1
    const seen = partner.seen.map(({ method, path }) => `${method} ${path}`).join(", ")
    assert.isFalse(
      isOrphan,
      `${what}: the partner believes it is registered and nobody here knows; it saw ${seen}`
    )
    const token = partner.held.at(-1)
    if (token !== undefined && (await api(here, `/connections/${id}`)).status === 404) {
      const late = await partner.call(
        "PUT",
        `${here.url}/ocpi/2.2.1/credentials`,
        partner.credentials(),
        token
      )
      assert.isTrue(late.status >= 400 && late.status < 500, `${what}: its token lives on: ${late.status}`)
    }
  }

  for (const step of steps.slice(0, 3))
    for (const [where, remover] of [
      ["the same process", () => here],
      ["another process", () => there]
    ] as const)
      for (const first of ["registers", "renews"] as const)
        it(`${first}, is at ${step}, and is removed by ${where}: nothing is left on either side`, async () => {
          const partner = await startPartner()
          partners.push(partner)
          const id = first === "renews" ? await registered(here, partner) : await connected(here, partner)
          const wanted = first === "renews" && step === "POST /credentials" ? "PUT /credentials" : step
          let letGo = () => {}
          const reached = new Promise<void>((resolve) => {
            letGo = holding(partner, wanted, resolve)
          })
          const shaking = api(here, `/connections/${id}/handshake`, { method: "POST", within: 25_000 })
          await Promise.race([reached, sleep(5000)])
          const removal = api(remover(), `/connections/${id}`, { method: "DELETE", within: 25_000 })
          // The removal has time to overtake, or to wait.
          await Promise.race([removal, sleep(700)])
          letGo()
          const [shaken, removed] = await Promise.all([shaking, removal])
          await settled(`${first} at ${step}, ${where}`, partner, id, [
            ["the handshake", shaken],
            ["the removal", removed]
          ])
        }, 60_000)

  it("is removed first, and its handshake begins while the partner takes its time with the farewell", async () => {
    for (const shaker of [() => here, () => there]) {
      const partner = await startPartner()
      partners.push(partner)
      const id = await registered(here, partner)
      let letGo = () => {}
      const reached = new Promise<void>((resolve) => {
        letGo = holding(partner, "DELETE /credentials", resolve)
      })
      const removal = api(here, `/connections/${id}`, { method: "DELETE", within: 25_000 })
      await Promise.race([reached, sleep(5000)])
      const shaking = api(shaker(), `/connections/${id}/handshake`, { method: "POST", within: 25_000 })
      await Promise.race([shaking, sleep(700)])
      letGo()
      const [removed, shaken] = await Promise.all([removal, shaking])
      await settled("farewell first", partner, id, [
        ["the removal", removed],
        ["the handshake", shaken]
      ])
    }
  }, 60_000)

  it("is removed twice at once, by two processes, while it registers", async () => {
    const partner = await startPartner()
    partners.push(partner)
    const id = await connected(here, partner)
    let letGo = () => {}
    const reached = new Promise<void>((resolve) => {
      letGo = holding(partner, "POST /credentials", resolve)
    })
    const shaking = api(there, `/connections/${id}/handshake`, { method: "POST", within: 25_000 })
    await Promise.race([reached, sleep(5000)])
    const removals = [here, there].map((one) =>
      api(one, `/connections/${id}`, { method: "DELETE", within: 25_000 })
    )
    await Promise.race([Promise.all(removals), sleep(700)])
    letGo()
    const [shaken, ...removed] = await Promise.all([shaking, ...removals])
    await settled("removed twice", partner, id, [
      ["the handshake", shaken!],
      ...removed.map((one): readonly [string, Heard] => ["a removal", one])
    ])
  }, 60_000)

  it("races with its handshake, again and again: nothing is left on either side", async () => {
    const race = async (at: number) => {
      const partner = await startPartner()
      partners.push(partner)
      const id = at % 2 === 0 ? await registered(here, partner) : await connected(here, partner)
      partner.answer = async (_, ordinary) => {
        await sleep((at * 7) % 23)
        return ordinary
      }
      const shaking = api(at % 3 === 0 ? there : here, `/connections/${id}/handshake`, {
        method: "POST",
        within: 25_000
      })
      await sleep((at * 11) % 90)
      const removal = api(at % 5 < 2 ? there : here, `/connections/${id}`, {
        method: "DELETE",
        within: 25_000
      })
      const [shaken, removed] = await Promise.all([shaking, removal])
      await settled(`race ${at}`, partner, id, [
        ["the handshake", shaken],
        ["the removal", removed]
      ])
    }
    for (let at = 0; at < 32; at += 4) await Promise.all([0, 1, 2, 3].map((one) => race(at + one)))
  }, 60_000)

  it("is removed while the partner registers by an invitation, and while it renews", async () => {
    for (const method of ["POST", "PUT"] as const) {
      const partner = await startPartner()
      partners.push(partner)
      const id = method === "PUT" ? await registered(here, partner) : await connected(here, partner)
      const invitation =
        method === "POST" ? await api(here, `/connections/${id}/invitation`, { method: "POST" }) : undefined
      const token = invitation?.json.data.token ?? partner.held.at(-1)
      let letGo = () => {}
      const reached = new Promise<void>((resolve) => {
        letGo = holding(partner, "GET /versions", resolve)
      })
      const coming = partner.call(method, `${here.url}/ocpi/2.2.1/credentials`, partner.credentials(), token)
      await Promise.race([reached, sleep(5000)])
      const removal = api(there, `/connections/${id}`, { method: "DELETE", within: 25_000 })
      await Promise.race([removal, sleep(700)])
      letGo()
      const [came, removed] = await Promise.all([coming, removal])
      plays += 1
      if (came.status >= 500 || removed.status >= 500) faults += 1
      assert.isTrue(came.status > 0 && came.status < 500, `${method}: ${came.status} ${shown(came.text)}`)
      assert.isTrue(removed.status > 0 && removed.status < 500, `${removed.status} ${shown(removed.text)}`)
      const given = came.json?.data?.token
      if (typeof given !== "string" || (await api(here, `/connections/${id}`)).status !== 404) continue
      // It was let in, and what it was let in to is gone: it must have been told, or its token is worth nothing.
      const later = await partner.call("GET", `${here.url}/ocpi/2.2.1/credentials`, undefined, given)
      assert.strictEqual(later.status, 401, later.text)
    }
  }, 60_000)
})
