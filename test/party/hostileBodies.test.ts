import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { cdr, evse, location } from "../support/ocpi/objects.ts"
import { ask, partyWith, roomLayer, tokenOf } from "../support/parties/parties.ts"

const list = (count: number, one: unknown) => Array.from({ length: count }, () => one)
const path = "2.2.1/locations/DE/CPO/LOC1"
const token = "of-hostile-partners-0123456789"
const invited = "of-hostile-guests-0123456789"

/** Bodies of up to a megabyte, and what they are answered. */
const attacks = [
  {
    what: "EVSEs without anything",
    body: location({ evses: list(15_000, {}) }),
    code: 2001,
    says: /evses\[0\].uid is missing.*\(and 59997 more\)/
  },
  {
    what: "EVSEs that are numbers",
    body: location({ evses: list(15_000, 1) }),
    code: 2001,
    says: /\(and 14997 more\)/
  },
  {
    what: "connectors without anything",
    body: location({ evses: [evse({ connectors: list(15_000, {}) })] }),
    code: 2001,
    says: /and \d+ more/
  },
  {
    what: "more EVSEs than we look at",
    body: location({ evses: list(350_000, {}) }),
    http: 413,
    code: 2000,
    says: /too large for us: .*more than 20000 entries/
  },
  {
    what: "lists of lists",
    body: location({ evses: list(500, list(500, 1)) }),
    http: 413,
    code: 2000,
    says: /more than 150000 values/
  },
  {
    what: "deep nesting",
    rawBody: `{"evses":${"[".repeat(400_000)}${"]".repeat(400_000)}}`,
    http: 413,
    code: 2000,
    says: /deeper than 100/
  },
  {
    what: "unknown fields",
    body: location(Object.fromEntries(list(19_000, 1).map((one, at) => [`f${at}`, one]))),
    http: 201,
    code: 1000
  },
  {
    what: "more fields than we look at",
    body: location(Object.fromEntries(list(50_000, 1).map((one, at) => [`f${at}`, one]))),
    http: 413,
    code: 2000,
    says: /an object with more than 20000 entries/
  },
  {
    what: "a text of a megabyte",
    body: location({ address: "x".repeat(1e6) }),
    code: 2001,
    says: /address is 1000000 characters long; at most \d+ are/
  },
  { what: "a number of many digits", rawBody: `{"id":${"9".repeat(1e6)}}`, code: 2001, says: /is missing/ },
  {
    what: "CDRs with charging periods without anything",
    method: "POST",
    path: "2.2.1/cdrs",
    body: cdr({ charging_periods: list(19_000, {}) }),
    code: 2001,
    says: /\(and 37997 more\)/
  },
  {
    what: "CDRs with a hundred thousand charging periods",
    method: "POST",
    path: "2.2.1/cdrs",
    body: cdr({ charging_periods: list(100_000, {}) }),
    http: 413,
    code: 2000,
    says: /more than 20000 entries/
  }
] as const

describe("a partner's body that is made to hurt", () => {
  layer(roomLayer("http://ours.test"))((it) => {
    const partners = Effect.gen(function* () {
      const store = yield* PartyStore
      if ((yield* store.find(partyWith({ id: "hostile", role: "EMSP" }).id))._tag === "Some") return
      yield* store.insert(partyWith({ id: "hostile", role: "EMSP" }), [tokenOf("issued", "tokenC", token)])
      yield* store.insert(partyWith({ id: "guest", role: "EMSP" }, false), [
        tokenOf("issued", "tokenA", invited)
      ])
    })

    for (const { code, what, ...attack } of attacks)
      it.effect(`is answered within its limits: ${what}`, () =>
        Effect.gen(function* () {
          yield* partners
          const before = process.cpuUsage()
          const answer = yield* ask({ path, method: "PUT", token, ...attack })
          const { user } = process.cpuUsage(before)
          assert.deepStrictEqual([answer.http, answer.code], ["http" in attack ? attack.http : 200, code])
          assert.match(answer.json.status_message ?? "", "says" in attack ? attack.says : /^/)
          assert.isBelow(JSON.stringify(answer.json).length, 1000)
          // All the work of it, in the slices that others are served between.
          assert.isBelow(user / 1000, 1500)
        })
      )

    it.effect("is no large location: 800 EVSEs are taken, replaced and changed", () =>
      Effect.gen(function* () {
        yield* partners
        const evses = list(800, 0).map((_, at) =>
          evse({
            uid: `E${at}`,
            physical_reference: "x".repeat(16),
            directions: list(2, { language: "en", text: "y".repeat(300) })
          })
        )
        const body = location({ id: "LARGE", evses })
        assert.isAbove(JSON.stringify(body).length, 750_000)
        const large = "2.2.1/locations/DE/CPO/LARGE"
        assert.strictEqual((yield* ask({ path: large, method: "PUT", token, body })).code, 1000)
        const change = { last_updated: "2026-02-01T00:00:00Z", name: "Large" }
        assert.strictEqual((yield* ask({ path: large, method: "PATCH", token, body: change })).code, 1000)
        assert.strictEqual(
          (yield* ask({
            path: `${large}/E799`,
            method: "PATCH",
            token,
            body: { ...change, status: "CHARGING" }
          })).code,
          1000
        )
        const wrong = { ...body, evses: [...evses.slice(1), { ...evses[0], status: "ODD" }] }
        const answer = yield* ask({ path: large, method: "PUT", token, body: wrong })
        assert.strictEqual(answer.code, 2001)
        assert.match(answer.json.status_message, /evses\[799\].status is "ODD"/)
      })
    )

    it.effect("is not repeated in the answer: an id of a megabyte", () =>
      Effect.gen(function* () {
        yield* partners
        const change = { last_updated: "2026-02-01T00:00:00Z", id: "x".repeat(1e6) }
        const answer = yield* ask({ path, method: "PATCH", token, body: change })
        assert.strictEqual(answer.code, 2001)
        assert.isBelow(JSON.stringify(answer.json).length, 1000)
      })
    )

    it.effect("is no handshake either: ten thousand roles", () =>
      Effect.gen(function* () {
        yield* partners
        const body = { token: "abc", url: "http://partner.test/versions", roles: list(10_000, {}) }
        const answer = yield* ask({ path: "2.2.1/credentials", method: "POST", token: invited, body })
        assert.strictEqual(answer.code, 2001)
        assert.isBelow(JSON.stringify(answer.json).length, 1000)
      })
    )
  })
})
