/** Row 7: partners that say more than anybody can want to hear: refused, accepted, with tokens that are over and with none. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { makeKey } from "../../support/service/command.ts"
import { migratedDatabase, rows } from "../../support/service/database.ts"
import { type Service, sleep, startService } from "../../support/service/Service.ts"
import { api, ask, attack, base64, type Heard, local, Victim } from "../support/attack.ts"
import { bar, during, type Lag, words, worst } from "../support/lag.ts"
import { location, type Partner, registered, startPartner } from "../support/partner.ts"

const flood = 100
const size = 250_000
/** What may be kept of a flood that is refused. */
const mostKept = 2_000_000
const atOnce = 8

describe("a flood of a partner", () => {
  let victim: Victim
  let service: Service
  let second: Service
  let database: string
  let other: string
  const partners: Array<Partner> = []
  const lags: Array<Lag> = []
  const lines: Array<string> = []

  beforeAll(async () => {
    database = await migratedDatabase(inject("pgUrl"))
    victim = new Victim({ ...local, DATABASE_URL: database })
    service = await victim.alive()
    second = await startService({ ...local, DATABASE_URL: database, PUBLIC_URL: service.url })
    other = await makeKey({ DATABASE_URL: database }, "another")
  }, 60_000)
  afterAll(async () => {
    attack("7", ...lines, worst(lags))
    await second?.kill("SIGTERM")
    await victim?.end()
    for (const one of partners) one.close()
  })

  /** Of an account of its own: what one has used up is not missing to the next. */
  const partnerOf = async (account: string) => {
    const partner = await startPartner()
    partners.push(partner)
    const headers = { authorization: `Bearer ${await makeKey({ DATABASE_URL: database }, account)}` }
    return { partner, headers, id: await registered(service, partner, { headers }) }
  }
  /** Bytes in all rows, as they are kept. */
  const kept = async () => {
    const tables = await rows(database, "select tablename from pg_tables where schemaname = 'public'")
    const sums = tables.map(
      ({ tablename }) => `select coalesce(sum(octet_length(t::text)), 0) n from "${tablename}" t`
    )
    return Number((await rows(database, `select sum(n) n from (${sums.join(" union all ")}) s`))[0].n)
  }
  const flooded = async (what: string, say: (at: number) => Promise<Heard>, count = flood) => {
    const before = await kept()
    const statuses = new Map<number, number>()
    const hints: Array<Heard> = []
    let at = 0
    const [, lag] = await during(service, other, async () => {
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          while (at < count) {
            at += 1
            const heard = await say(at)
            statuses.set(heard.status, (statuses.get(heard.status) ?? 0) + 1)
            if (heard.status === 429) hints.push(heard)
          }
        })
      )
    })
    lags.push(lag)
    const grown = (await kept()) - before
    const answers = [...statuses].map(([status, many]) => `${many} × ${status}`).join(" ")
    lines.push(`${what}: ${count} requests, ${answers}, ${grown} bytes kept`)
    return { grown, hints, lag, statuses, words: `${answers}, ${grown} bytes kept, ${words(lag)}` }
  }
  const bearable = (seen: { lag: Lag; words: string }) =>
    assert.isBelow(Math.max(seen.lag.live, seen.lag.other), bar, seen.words)

  const long = "x".repeat(size)
  const refusedBody = JSON.stringify({ ...location("F"), evses: long })
  const place = (at: number, at2 = service) => `${at2.url}/ocpi/2.2.1/locations/DE/ATK/F${at}`

  it("that is refused is put off, and little of it is kept", async () => {
    const { partner } = await partnerOf("refused")
    const seen = await flooded("refused PUTs", (at) => partner.call("PUT", place(at), refusedBody))
    assert.isAbove(seen.statuses.get(429) ?? 0, 0, `no 429: ${seen.words}`)
    assert.isBelow(seen.grown, mostKept, seen.words)
    bearable(seen)
    for (const { headers, json } of seen.hints) {
      assert.match(String(headers["retry-after"]), /^[1-9]\d*$/)
      assert.isObject(json, "an answer of OCPI, or of the API")
    }
  }, 90_000)

  it("that goes to two processes is counted together", async () => {
    const { partner } = await partnerOf("two-processes")
    const seen = await flooded("refused PUTs to two processes", (at) =>
      partner.call("PUT", place(at, at % 2 === 0 ? service : second), refusedBody)
    )
    assert.isAbove(seen.statuses.get(429) ?? 0, 0, `no 429: ${seen.words}`)
    assert.isBelow(seen.grown, mostKept, seen.words)
  }, 90_000)

  it("of six connections of one account is counted together, and each keeps its share", async () => {
    const { headers, partner } = await partnerOf("six-connections")
    const all = [partner]
    while (all.length < 6) {
      const more = await startPartner()
      partners.push(more)
      all.push(more)
      await registered(service, more, { headers })
    }
    // Each may send 8 MiB a minute, and all together 32.
    const seen = await flooded(
      "refused PUTs of six connections",
      (at) => all[at % all.length]!.call("PUT", place(at), refusedBody),
      40 * all.length
    )
    const said = seen.hints.map(({ json }) => String(json?.status_message))
    assert.isNotEmpty(
      said.filter((one) => one.includes("of all partners of an account")),
      `nobody is put off for the account: ${seen.words}`
    )
    assert.isBelow(seen.grown, mostKept * all.length, seen.words)
  }, 90_000)

  it("with a token that is over, or one that is none, leaves nothing", async () => {
    const { partner } = await partnerOf("over")
    const [over = ""] = partner.held
    const put = await partner.call("PUT", `${service.url}/ocpi/2.2.1/credentials`, partner.credentials())
    partner.held.push(put.json.data.token)
    await partner.call("GET", `${service.url}/ocpi/2.2.1/credentials`)
    const seen = await flooded("PUTs with a token that is over", (at) =>
      partner.call("PUT", place(at), refusedBody, over)
    )
    assert.isBelow(seen.grown, mostKept, seen.words)
    bearable(seen)
    const strange = await flooded("PUTs with no token that is known", (at) =>
      partner.call("PUT", place(at), refusedBody, `unknown-token_${at}`)
    )
    assert.isBelow(strange.grown, mostKept, strange.words)
    bearable(strange)
    assert.strictEqual(
      (await partner.call("GET", `${service.url}/ocpi/2.2.1/credentials`)).status,
      200,
      "the honest one"
    )
  }, 90_000)

  it("in paths and queries leaves no more than one in bodies", async () => {
    const { partner } = await partnerOf("paths")
    const seen = await flooded(
      "GETs with a long query",
      (at) =>
        partner.call("GET", `${service.url}/ocpi/2.2.1/locations/DE/ATK/F${at}?q=${"q".repeat(14_000)}`),
      200
    )
    assert.isBelow(seen.grown, mostKept, seen.words)
    bearable(seen)
  }, 90_000)

  it("that is small and right holds up no partner of another account, and is put off in the end", async () => {
    const { partner } = await partnerOf("small")
    const next = await partnerOf("next")
    const paced = async (many: number, isOver = () => false) => {
      const taken: Array<number> = []
      while (taken.length < many && !isOver()) {
        const heard = await next.partner.call("PUT", place(1), location("F1"))
        assert.include([200, 201], heard.status, "the partner of the other account is served")
        taken.push(heard.millis)
        await sleep(20)
      }
      return taken.toSorted((x, y) => x - y)[Math.floor(taken.length / 2)] ?? Number.NaN
    }
    const alone = await paced(15)
    const statuses = new Map<number, number>()
    const end = performance.now() + 12_000
    let over = false
    const pushing = async () => {
      for (let at = 0; performance.now() < end && (statuses.get(429) ?? 0) < 200; at += 1) {
        const { status } = await partner.call("PUT", place(at), location(`F${at}`))
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    const meanwhile = paced(150, () => over)
    const [, lag] = await during(service, other, () =>
      Promise.all(Array.from({ length: 3 * atOnce }, pushing))
    )
    over = true
    const beside = await meanwhile
    lags.push(lag)
    const many = [...statuses.values()].reduce((sum, one) => sum + one, 0)
    const said = `small PUTs: ${many} requests, ${statuses.get(429) ?? 0} × 429, another account's partner ${alone.toFixed(0)} ms alone and ${beside.toFixed(0)} ms beside`
    lines.push(said)
    // More than that in so short a time is a flood, whatever the limit.
    if (many > 1500) assert.isAbove(statuses.get(429) ?? 0, 0, said)
    assert.isBelow(beside, Math.max(250, 10 * alone), said)
    bearable({ lag, words: `${said}, ${words(lag)}` })
  }, 90_000)

  it("of commands, registrations and discovery without a token is put off or harmless", async () => {
    const { id, headers } = await partnerOf("rest")
    const seen = await flooded(
      "discovery",
      () =>
        ask(`${service.url}/ocpi/versions`, {
          headers: { authorization: `Token ${base64("no-such-token")}` }
        }),
      200
    )
    bearable(seen)
    assert.isBelow(seen.grown, mostKept, seen.words)
    const listed = await api(service, `/connections/${id}/exchanges?limit=1000`, { headers })
    assert.strictEqual(listed.status, 200)
  }, 90_000)
})
