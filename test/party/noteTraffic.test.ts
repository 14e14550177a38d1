import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { performCall } from "../../src/party/outbound/performCall.ts"
import { Handshake } from "../../src/party/registration/Handshake.ts"
import { overriddenBy } from "../../src/party/wire/dialect.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { base64, partyWith, roomLayer, tokenOf } from "../support/parties/parties.ts"
import { ok, type Script, scripted, tokenA } from "./support/scriptedPartner.ts"

const list = { module: "locations", interfaceRole: "SENDER", operation: "list", method: "GET" } as const
const one = { ...list, operation: "GET location", path: ["LOC1"] } as const
const command = {
  module: "commands",
  interfaceRole: "RECEIVER",
  operation: "UNLOCK_CONNECTOR",
  method: "POST",
  path: ["UNLOCK_CONNECTOR"],
  body: {}
} as const
const page = { body: ok([{ id: "LOC1" }]) }

/** Registers with a partner that ends its URLs with a slash, makes the calls, and tells the dialect before and after. */
const trafficWith = (
  calls: ReadonlyArray<typeof list | typeof one | typeof command>,
  answers: Record<string, Script>,
  more: { readonly renew?: boolean; readonly pageLimit?: number } = {}
) =>
  Effect.gen(function* () {
    const partner = yield* scripted(
      (url) => ({
        "GET /details": {
          body: ok({
            version: "2.2.1",
            endpoints: [
              { identifier: "credentials", role: "SENDER", url: `${url}/credentials/` },
              { identifier: "locations", role: "SENDER", url: `${url}/locations/` },
              { identifier: "commands", role: "RECEIVER", url: `${url}/commands/` }
            ]
          })
        },
        "PUT /credentials/": { body: ok({ token: "their-token-C-0123456789" }) },
        ...answers
      }),
      [base64(tokenA), base64("their-token-C-0123456789")]
    )
    const store = yield* PartyStore
    const handshake = yield* Handshake
    const counterpart = {
      role: "CPO",
      versionsUrl: `${partner.url}/versions`,
      endpoints: [],
      parties: null
    } as const
    const party = partyWith({ id: "conn_1", role: "EMSP", counterpart }, false)
    yield* store.insert(party, [tokenOf("outbound", "tokenA", tokenA)])
    const now = Effect.map(store.find(party.id), Option.getOrThrow)
    assert.isTrue((yield* handshake.run(party.id)).ok)
    if (more.pageLimit !== undefined) {
      const wish = { pageLimit: more.pageLimit }
      yield* store.update(party.id, (it) => ({ ...it, dialect: overriddenBy(it.dialect, wish) }))
    }
    const before = (yield* now).dialect
    const statuses: Array<number | undefined> = []
    for (const call of calls) {
      const { exchange } = yield* performCall(yield* now, call)
      statuses.push(exchange.response?.httpStatus)
    }
    if (more.renew === true) assert.isTrue((yield* handshake.run(party.id)).ok)
    const { deviations, pageLimit } = (yield* now).dialect
    return { noted: deviations.filter((text) => !before.deviations.includes(text)), pageLimit, statuses }
  }).pipe(Effect.scoped, Effect.provide(roomLayer("http://127.0.0.1:9")))

describe("what is odd about the traffic after a handshake", () => {
  const odd: ReadonlyArray<
    readonly [string, typeof list | typeof one | typeof command, Record<string, Script>, string | undefined]
  > = [
    ["an honest page", list, { "GET /locations/": page }, undefined],
    [
      "a relative Link",
      list,
      { "GET /locations/": { ...page, headers: { link: '</locations/?offset=1>; rel="next"' } } },
      "in traffic, GET locations: the Link to the next page is relative"
    ],
    [
      "a bare object for a list",
      list,
      { "GET /locations/": { body: ok({ id: "LOC1" }) } },
      "in traffic, GET locations: a single object came in place of a list"
    ],
    [
      "an object in a list",
      one,
      { "GET /locations/LOC1": page },
      "in traffic, GET locations: a single object came wrapped in a list"
    ],
    [
      "an answer to a command in a list",
      command,
      { "POST /commands/UNLOCK_CONNECTOR": { body: ok([{ result: "ACCEPTED", timeout: 30 }]) } },
      "in traffic, POST commands: a single object came wrapped in a list"
    ],
    [
      "an error without an envelope",
      command,
      { "POST /commands/UNLOCK_CONNECTOR": { http: 500, body: "oops" } },
      "in traffic, POST commands: an error came without an OCPI envelope"
    ],
    [
      "no timestamp",
      list,
      { "GET /locations/": { body: { data: [], status_code: 1000 } } },
      "in traffic, GET locations: the envelope has no timestamp"
    ],
    [
      "two documents in one body",
      list,
      { "GET /locations/": { body: `${JSON.stringify(ok([]))}\n{}` } },
      "in traffic, GET locations: two JSON documents came in one body; the first was read"
    ]
  ]
  for (const [name, call, answers, expected] of odd) {
    it.live(`is noted once, and not lost by a renewal: ${name}`, () =>
      Effect.gen(function* () {
        const { noted } = yield* trafficWith([call, call], answers, { renew: true })
        const met = noted.filter((text) => text.startsWith("in traffic"))
        assert.deepStrictEqual(met, expected === undefined ? [] : [expected])
      })
    )
  }

  it.live(
    "is learned where a command is redirected to the URL with a slash at its end: the next one goes there",
    () =>
      Effect.gen(function* () {
        const { noted, statuses } = yield* trafficWith([command, command], {
          "POST /commands/UNLOCK_CONNECTOR": {
            http: 307,
            headers: { location: "/commands/UNLOCK_CONNECTOR/" },
            body: ""
          },
          "POST /commands/UNLOCK_CONNECTOR/": { body: ok({ result: "ACCEPTED", timeout: 30 }) }
        })
        assert.deepStrictEqual(statuses, [307, 200], "a POST is not repeated")
        assert.deepStrictEqual(noted, ["in traffic, redirects object URLs to those with a slash at the end"])
      })
  )

  it.live("is noted where a command is redirected elsewhere, which is not followed", () =>
    Effect.gen(function* () {
      const { noted, statuses } = yield* trafficWith([command, command], {
        "POST /commands/UNLOCK_CONNECTOR": { http: 307, headers: { location: "/login" }, body: "" }
      })
      assert.deepStrictEqual(statuses, [307, 307])
      assert.strictEqual(noted.length, 1)
      assert.match(noted[0]!, /^in traffic, POST commands: answers 307, a redirect to .*login/)
    })
  )

  it.live("is not said again of another module, nor where the handshake has met it", () =>
    Effect.gen(function* () {
      const bare = { data: [], status_code: 1000 }
      const answers = {
        "GET /locations/": { body: bare },
        "POST /commands/UNLOCK_CONNECTOR": { body: { ...bare, data: { result: "ACCEPTED" } } }
      }
      assert.strictEqual((yield* trafficWith([list, command], answers)).noted.length, 1)
      const again = yield* trafficWith([list], {
        ...answers,
        "POST /credentials/": { body: { data: { token: "their-token-C-0123456789" }, status_code: 1000 } }
      })
      assert.deepStrictEqual(again.noted, [])
    })
  )
})

describe("the page limit", () => {
  const answers = {
    "GET /locations/": { ...page, headers: { "x-limit": "25" } },
    "GET /locations/?limit=7": { ...page, headers: { "x-limit": "7" } }
  }
  it.live("is learnt from a page, and asked for where the caller has set it", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* trafficWith([list], answers)).pageLimit, 25)
      const set = yield* trafficWith([list], answers, { pageLimit: 7 })
      assert.deepStrictEqual(set.statuses, [200])
      assert.strictEqual(set.pageLimit, 7)
    })
  )
})
