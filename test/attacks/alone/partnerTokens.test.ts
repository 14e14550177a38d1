/**
 * Rows 1 and B17: what the time of a 401 says about a partner's token, and whether tokens stay what they are, good or
 * over, while the keys that they are sealed with are replaced under traffic.
 */
import { Agent, request } from "node:http"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { plugfest } from "../../support/service/command.ts"
import { migratedDatabase } from "../../support/service/database.ts"
import { freePort, type Service, sleep, startService } from "../../support/service/Service.ts"
import { median, together } from "../../support/timeSamples.ts"
import { api, attack, base64, local, shown, Victim } from "../support/attack.ts"
import { connected, location, type Partner, registered, startPartner } from "../support/partner.ts"

const samples = 300
const sets = 3
describe("the time of a partner's 401", () => {
  let victim: Victim
  let service: Service
  const partners: Array<Partner> = []
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const wrong: Record<string, (at: number) => string> = {}
  let putOff = 0

  beforeAll(async () => {
    victim = new Victim({ ...local, DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
    service = await victim.alive()
    const partner = async () => {
      const one = await startPartner()
      partners.push(one)
      return one
    }
    const honest = await partner()
    await registered(service, honest)
    const replaced = honest.held[0]!
    const put = await honest.call("PUT", `${service.url}/ocpi/2.2.1/credentials`, honest.credentials())
    honest.held.push(put.json.data.token)
    assert.strictEqual((await honest.call("GET", `${service.url}/ocpi/2.2.1/credentials`)).status, 200)
    const invited = await partner()
    const id = await connected(service, invited)
    const tokenA: string = (await api(service, `/connections/${id}/invitation`, { method: "POST" })).json.data
      .token
    await invited.registerAt(service, tokenA)
    const removed = await partner()
    const removedId = await registered(service, removed)
    await api(service, `/connections/${removedId}`, { method: "DELETE" })
    const live = honest.held.at(-1)!
    const like = (at: number) => `${live.slice(0, -4)}${at.toString(16).padStart(4, "0")}`
    wrong["unknown"] = (at) => like(at)
    wrong["unknown of another form"] = (at) => `attacker-token_${at}`.padEnd(live.length, "x")
    wrong["replaced"] = () => replaced
    wrong["used Token A"] = () => tokenA
    wrong["of a removed connection"] = () => removed.held[0]!
  }, 60_000)
  afterAll(async () => {
    agent.destroy()
    await victim?.end()
    for (const one of partners) one.close()
  })

  /** Milliseconds until the 401 is there, all of it. Whoever is put off comes again. */
  const asking = async (token: string): Promise<number> => {
    for (let tries = 0; ; tries += 1) {
      const { millis, status } = await new Promise<{ millis: number; status: number }>((resolve, reject) => {
        const began = performance.now()
        request(
          `${service.url}/ocpi/2.2.1/credentials`,
          { agent, headers: { authorization: `Token ${base64(token)}` } },
          (answer) =>
            answer
              .resume()
              .once("end", () =>
                resolve({ millis: performance.now() - began, status: answer.statusCode ?? 0 })
              )
        )
          .once("error", reject)
          .end()
      })
      if (status === 401) return millis
      assert.isTrue(status === 429 && tries < 100, `HTTP ${status}`)
      putOff += 1
      await sleep(200)
    }
  }

  it("does not say whether it was ever good", async () => {
    const names = Object.keys(wrong)
    for (let set = 1; ; set += 1) {
      const taken = new Map<string, Array<number>>(names.map((name) => [name, []]))
      for (let at = 0; at < samples; at += 1)
        for (const turn of names.keys()) {
          const name = names[(at + turn) % names.length]!
          // What is noted of a call with a token that is over is noted after its answer, and would slow the next one.
          await sleep(15)
          taken.get(name)!.push(await asking(wrong[name]!(at)))
        }
      const isTogether = together(taken)
      const said = [...taken]
        .map(([name, values]) => `${name} ${(median(values) * 1000).toFixed(0)}`)
        .join(", ")
      if (isTogether || set === sets) {
        attack(
          "1, timing",
          `${samples} each by turns`,
          `medians in µs: ${said}`,
          `set ${set}`,
          `${putOff} put off`
        )
        assert.isTrue(isTogether, `${set} sets of samples differ; the last in µs: ${said}`)
        return
      }
    }
  }, 300_000)
})

describe("a partner's token while keys are replaced", () => {
  const key = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString("base64")}`
  const [k1, k2] = [key("k1", 3), key("k2", 4)]

  it("is as good, or as over, after the replacement as before, and no push is lost meanwhile", async () => {
    const env = {
      ...local,
      DATABASE_URL: await migratedDatabase(inject("pgUrl")),
      PORT: String(await freePort())
    }
    let service = await startService({ ...env, ENCRYPTION_KEYS: k1 })
    const partners = await Promise.all(Array.from({ length: 3 }, () => startPartner()))
    const over: Array<string> = []
    const credentials = () => `${service.url}/ocpi/2.2.1/credentials`
    for (const partner of partners) {
      await registered(service, partner)
      over.push(partner.held[0]!)
      const put = await partner.call("PUT", credentials(), partner.credentials())
      partner.held.push(put.json.data.token)
      await partner.call("GET", credentials())
    }
    let pushes = 0
    const lost: Array<string> = []
    const push = async (partner: Partner, at: number) => {
      pushes += 1
      const heard = await partner.call(
        "PUT",
        `${service.url}/ocpi/2.2.1/locations/DE/ATK/K${at % 20}`,
        location(`K${at % 20}`)
      )
      if (heard.status !== 200 && heard.status !== 201 && heard.status !== 429)
        lost.push(`${heard.status} ${shown(heard.text, 80)}`)
    }
    const holds = async (when: string) => {
      for (const [at, partner] of partners.entries()) {
        const good = await partner.call("GET", credentials())
        assert.strictEqual(good.status, 200, `${when}: a good token: ${good.text}`)
        for (const token of [over[at]!, `dead ${over[at]}`]) {
          const bad = await partner.call("GET", credentials(), undefined, token)
          assert.strictEqual(bad.status, 401, `${when}: a token that is over`)
        }
      }
    }
    try {
      await holds("with the first key")
      for (const keys of [`${k1},${k2}`, `${k2},${k1}`]) {
        await service.kill("SIGTERM")
        service = await startService({ ...env, ENCRYPTION_KEYS: keys })
        await holds(`with ${keys === `${k1},${k2}` ? "k1,k2" : "k2,k1"}`)
      }
      let isOver = false
      const traffic = partners.map(async (partner) => {
        for (let at = 0; !isOver; at += 1) {
          await push(partner, at)
          await sleep(20)
          // Their own renewals go on meanwhile.
          if (at % 15 !== 14) continue
          const put = await partner.call("PUT", credentials(), partner.credentials())
          if (typeof put.json?.data?.token === "string") partner.held.push(put.json.data.token)
          else if (put.status !== 429) lost.push(`PUT credentials: ${put.status} ${shown(put.text, 80)}`)
        }
      })
      const rotated = await plugfest(["secrets", "rotate"], { ...env, ENCRYPTION_KEYS: `${k2},${k1}` })
      await sleep(500)
      isOver = true
      await Promise.all(traffic)
      assert.strictEqual(rotated.code, 0, rotated.stderr)
      await holds("after the rotation")
      await service.kill("SIGTERM")
      service = await startService({ ...env, ENCRYPTION_KEYS: k2 })
      await holds("with the second key alone")
      for (const partner of partners) await push(partner, 0)
      attack(
        "B17",
        `${pushes} pushes of ${partners.length} partners while keys were replaced`,
        `${lost.length} lost`
      )
      assert.deepStrictEqual(lost, [])
    } finally {
      await service.kill("SIGTERM")
      for (const partner of partners) partner.close()
    }
  }, 120_000)
})
