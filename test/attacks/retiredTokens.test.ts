/** Row 1: tokens that are over come back with every marker that they might be stored under, and in every disguise. */
import { createHash } from "node:crypto"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase, rows } from "../support/service/database.ts"
import type { Service } from "../support/service/Service.ts"
import { api, ask, attack, base64, type Heard, local, said, shown, Victim } from "./support/attack.ts"
import { connected, location, type Partner, registered, startPartner } from "./support/partner.ts"

/** Words under which a store may keep a token that it does not accept: slots, states, names, domains of a hash. */
const words = [
  "dead",
  "returned",
  "retired",
  "former",
  "previous",
  "pending",
  "issued",
  "outbound",
  "inbound",
  "old",
  "used",
  "revoked",
  "expired",
  "withdrawn",
  "tokenA",
  "tokenB",
  "tokenC",
  "token",
  "hash",
  "sha256",
  "v1",
  "connection",
  "party"
]
const joints = [" ", ":", "", "-", "/"]

/** Header values that might mean this token. */
const disguises = (token: string): ReadonlyArray<string> => {
  const marked = words.flatMap((word) => joints.map((joint) => word + joint + token))
  const hash = createHash("sha256").update(token)
  const hex = hash.copy().digest("hex")
  return [
    token,
    base64(token),
    base64(base64(token)),
    base64(`${token}\n`),
    ...marked,
    ...words.flatMap((word) =>
      [word.toUpperCase(), word[0]!.toUpperCase() + word.slice(1)].map((one) => `${one} ${token}`)
    ),
    ...words.flatMap((word) => [" ", ":", ""].map((joint) => base64(word + joint + token))),
    ...words.map((word) => `${word} ${base64(token)}`),
    ...words.map((word) => `${word} ${hex}`),
    hex,
    hash.copy().digest("base64"),
    `\\x${hex}`,
    token.toUpperCase(),
    `${token} `,
    `«${token}»`,
    `${token}, ${token}`,
    `${token},`,
    `"${token}"`,
    `Token ${token}`,
    `Token ${base64(token)}`,
    `dead dead ${token}`,
    `dead  ${token}`,
    `returned dead ${token}`,
    `dead returned ${token}`
  ]
}

describe("a token that is over", () => {
  let victim: Victim
  let service: Service
  let database: string
  const partners: Array<Partner> = []
  const partner = async (role: "CPO" | "EMSP" = "CPO") => {
    const one = await startPartner(role)
    partners.push(one)
    return one
  }

  beforeAll(async () => {
    database = await migratedDatabase(inject("pgUrl"))
    victim = new Victim({ ...local, DATABASE_URL: database })
    service = await victim.alive()
  }, 60_000)
  afterAll(async () => {
    await victim?.end()
    for (const one of partners) one.close()
  })

  const ocpi = () => `${service.url}/ocpi/2.2.1`
  const invitation = async (id: string): Promise<string> =>
    (await api(service, `/connections/${id}/invitation`, { method: "POST" })).json.data.token
  const count = async (table: string) =>
    Number((await rows(database, `SELECT count(*) n FROM ${table}`))[0].n)

  /** How each kind of token comes to be over. Gives it, and the connection that it was of with its honest partner. */
  const endings: Readonly<Record<string, () => Promise<{ token: string; id: string; honest: Partner }>>> = {
    "replaced by the partner's PUT": async () => {
      const honest = await partner()
      const id = await registered(service, honest)
      const [token = ""] = honest.held
      const put = await honest.call("PUT", `${ocpi()}/credentials`, honest.credentials())
      honest.held.push(put.json.data.token)
      return { token, id, honest }
    },
    "replaced by a handshake of ours": async () => {
      const honest = await partner()
      const id = await registered(service, honest)
      const [token = ""] = honest.held
      await api(service, `/connections/${id}/handshake`, { method: "POST" })
      assert.lengthOf(honest.held, 2)
      return { token, id, honest }
    },
    "a Token A that was used": async () => {
      const honest = await partner()
      const id = await connected(service, honest)
      const token = await invitation(id)
      assert.strictEqual((await honest.registerAt(service, token)).json?.status_code, 1000)
      return { token, id, honest }
    },
    "a Token A of an earlier invitation": async () => {
      const honest = await partner()
      const id = await connected(service, honest)
      const token = await invitation(id)
      assert.strictEqual((await honest.registerAt(service, await invitation(id))).json?.status_code, 1000)
      return { token, id, honest }
    },
    "unregistered by the partner": async () => {
      const honest = await partner()
      const id = await registered(service, honest)
      const [token = ""] = honest.held
      assert.strictEqual((await honest.call("DELETE", `${ocpi()}/credentials`)).json?.status_code, 1000)
      return { token, id, honest }
    },
    "of a connection that was removed": async () => {
      const honest = await partner()
      const id = await registered(service, honest)
      const [token = ""] = honest.held
      assert.strictEqual((await api(service, `/connections/${id}`, { method: "DELETE" })).status, 200)
      return { token, id, honest }
    }
  }

  /** What is accepted, and what came of it; the rest of the attack goes on. */
  let accepted: Array<string> = []
  let requests = 0
  let letIn = 0
  const isOver = (what: string, heard: Heard) => {
    requests += 1
    // 429: whoever guesses so often is put off, and learns no more.
    if (heard.status === 401 || heard.status === 429 || heard.status === 400) return
    letIn += 1
    accepted.push(`${what}: ${heard.status} ${shown(heard.text, 160)}`)
  }

  for (const [how, end] of Object.entries(endings)) {
    it(`${how}: is refused in every disguise, writes nothing and moves no connection`, async () => {
      accepted = []
      const { honest, id, token } = await end()
      const evil = await partner()
      const live = honest.held.at(-1)!
      const isLive = live !== token
      // What holds for the live token is not changed by what comes; its first use also ends the one before.
      if (isLive) assert.strictEqual((await honest.call("GET", `${ocpi()}/credentials`)).status, 200)
      const plain = await ask(`${ocpi()}/credentials`, {
        headers: { authorization: `Token ${base64(token)}` }
      })
      assert.strictEqual(plain.status, 401, plain.text)
      const objects = await count("party_object")
      const place = `${ocpi()}/locations/DE/ATK/EVIL`
      const forms = disguises(token)
      const body = { ...honest.credentials(), url: evil.versionsUrl }
      const come = async (form: string) => {
        const headers = { authorization: `Token ${form}` }
        const what = form.replaceAll(token, "<token>").replaceAll(base64(token), "<base64>")
        isOver(`GET versions, Token ${what}`, await ask(`${service.url}/ocpi/versions`, { headers }))
        isOver(
          `PUT location, Token ${what}`,
          await ask(place, { method: "PUT", headers, body: location("EVIL") })
        )
        if (accepted.length === 0) return
        // One door is open: what lies behind it?
        for (const method of ["PUT", "POST"])
          isOver(
            `${method} credentials, Token ${what}`,
            await ask(`${ocpi()}/credentials`, { method, headers, body })
          )
      }
      for (let at = 0; at < forms.length && accepted.length === 0; at += 6)
        await Promise.all(forms.slice(at, at + 6).map(come))
      for (const scheme of ["token", "TOKEN", "Token  ", "Token\t", "Bearer", "Basic", ""]) {
        const headers = { authorization: `${scheme} ${base64(token)}`.trim() }
        for (const method of ["PUT", "POST", "DELETE", "GET"]) {
          const asked =
            method === "PUT" || method === "POST" ? { method, headers, body } : { method, headers }
          isOver(`${method} credentials, ${scheme}`, await ask(`${ocpi()}/credentials`, asked))
        }
      }
      assert.deepStrictEqual(accepted, [])
      assert.lengthOf(evil.seen, 0, "nobody was sent to the attacker")
      assert.strictEqual(await count("party_object"), objects, "nothing was written")
      const view = await api(service, `/connections/${id}`)
      if (view.status === 200) assert.strictEqual(view.json.data.partnerBaseUrl, honest.versionsUrl)
      if (isLive && view.json?.data?.status === "registered")
        assert.strictEqual(
          (await honest.call("GET", `${ocpi()}/credentials`)).status,
          200,
          "the honest one is let in"
        )
    }, 60_000)
  }

  it("is no way in beside a live one: several values, lists and two headers never make a caller of two", async () => {
    const first = await partner()
    const second = await partner()
    await registered(service, first)
    await registered(service, second)
    const [mine = "", theirs = ""] = [first.held.at(-1), second.held.at(-1)]
    const objects = await count("party_object")
    const { hostname, port } = new URL(service.url)
    const body = JSON.stringify(location("BOTH"))
    const both = (lines: string) =>
      said(
        service.url,
        `PUT /ocpi/2.2.1/locations/DE/ATK/BOTH HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${lines}Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
      )
    const line = (value: string) => `Authorization: ${value}\r\n`
    const [a, b] = [base64(mine), base64(theirs)]
    const asked = {
      list: line(`Token ${a}, Token ${b}`),
      "list without a space": line(`Token ${a},${b}`),
      "both values": line(`Token ${a} ${b}`),
      "a scheme twice": line(`Token Token ${a}`),
      "two dots": line(`Token: ${a}`),
      quoted: line(`Token "${a}"`),
      parameter: line(`Token token="${a}"`),
      glued: line(`Token${a}`),
      "in capitals": line(`Token ${base64(mine.toUpperCase())}`),
      "in capitals, as it is": line(`Token ${mine.toUpperCase()}`),
      "with a marker": line(`Token dead ${mine}`),
      "with another marker": line(`Token returned ${mine}`),
      "the partner's own, with a marker": line(`Token returned ${first.given.at(-1)}`),
      "encoded three times": line(`Token ${base64(base64(a))}`),
      "cut by one": line(`Token ${base64(mine.slice(0, -1))}`),
      "a live one and one that is wrong": line(`Token ${a}, Token wrong`),
      "a wrong one and a live one": line(`Token wrong, Token ${a}`),
      "in another header": `X-Authorization: Token ${a}\r\nProxy-Authorization: Token ${a}\r\n`
    }
    const through: Array<string> = []
    for (const [what, lines] of Object.entries(asked)) {
      requests += 1
      const text = await both(lines)
      if (!/^HTTP\/1\.1 4\d\d /.test(text)) through.push(`${what}: ${shown(text, 80)}`)
    }
    // Two headers: the first counts or none does; never is the second one let in on the first.
    const two = await both(line("Token wrong") + line(`Token ${a}`))
    if (!/^HTTP\/1\.1 4\d\d /.test(two)) through.push(`the second of two headers: ${shown(two, 80)}`)
    assert.deepStrictEqual(through, [])
    assert.strictEqual(await count("party_object"), objects)
  }, 30_000)

  it("does not come to life again: a partner that names it as a token of its own opens no door with it", async () => {
    const honest = await partner()
    await registered(service, honest)
    const [over = ""] = honest.held
    const put = await honest.call("PUT", `${ocpi()}/credentials`, honest.credentials(), over)
    honest.held.push(put.json.data.token)
    assert.strictEqual((await honest.call("GET", `${ocpi()}/credentials`)).status, 200)
    const live = honest.held.at(-1)!
    requests += 3
    const own = await honest.call("PUT", `${ocpi()}/credentials`, { ...honest.credentials(), token: live })
    assert.notStrictEqual(own.json?.status_code, 1000, "the token that it calls us with is none of its own")
    const named = await honest.call("PUT", `${ocpi()}/credentials`, { ...honest.credentials(), token: over })
    if (named.json?.status_code === 1000) honest.held.push(named.json.data.token)
    // Whoever has found the old one somewhere has no part in what the partner does.
    const found = await honest.call("PUT", `${ocpi()}/locations/DE/ATK/EVIL`, location("EVIL"), over)
    assert.strictEqual(found.status, 401, `a token that was over writes again: ${shown(found.text)}`)
    assert.strictEqual((await honest.call("GET", `${ocpi()}/credentials`)).status, 200)
  }, 30_000)

  it("a Token A registers once, also when it comes twice at the same time", async () => {
    for (let round = 0; round < 3; round += 1) {
      const honest = await partner()
      const thief = await partner()
      const id = await connected(service, honest)
      const tokenA = await invitation(id)
      const answers = await Promise.all([
        honest.registerAt(service, tokenA),
        thief.registerAt(service, tokenA),
        thief.registerAt(service, tokenA)
      ])
      requests += answers.length
      const won = answers.filter(({ json }) => json?.status_code === 1000)
      assert.lengthOf(won, 1, answers.map(({ text }) => shown(text, 120)).join(" | "))
      const later = await thief.registerAt(service, tokenA)
      assert.strictEqual(later.status, 401, later.text)
    }
  }, 30_000)

  it("says what was tried", () => {
    attack("1", `${requests} requests with tokens that are over or disguised`, `${letIn} let in`)
  })
})
