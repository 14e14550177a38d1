/** Pages of a list by their offsets: what shows no fault, and what is told by one check. */
import { assert, describe, it } from "@effect/vitest"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../../src/conformance/grading/grade.ts"
import type { Observation } from "../../../../src/conformance/model/Evidence.ts"
import { partiesIn } from "../../../../src/party/wire/credentialsObject.ts"
import { answered, evidenceFrom } from "../../support/handmade.ts"
import { location, party } from "../../support/honestPartner.ts"

type Seen = Readonly<Record<string, ReadonlyArray<Observation>>>
type Place = ReturnType<typeof location>

const url = "https://cpo.example/ocpi/2.2.1/locations"
const places = ["A", "B", "C", "D", "E", "F", "G"].map((id, index) => location(id, index + 1))

interface Page {
  readonly query?: string
  readonly total?: number
  readonly hasNext?: boolean
  readonly made?: string
}

const page = (
  items: ReadonlyArray<Place>,
  { hasNext, made, query = "", total = 7 }: Page = {}
): Observation => {
  const seen = answered("locations", items)
  const headers = {
    "x-total-count": `${total}`,
    "x-limit": "50",
    ...(hasNext === true ? { link: `<${url}?offset=50>; rel="next"` } : {})
  }
  const json = { data: items, status_code: 1000, timestamp: made ?? "2026-06-01T12:00:00.000Z" }
  return {
    ...seen,
    json,
    exchange: {
      ...seen.exchange,
      request: { ...seen.exchange.request, url: `${url}${query}` },
      response: { ...seen.exchange.response!, headers, body: JSON.stringify(json) }
    }
  }
}

const empty = Object.fromEntries(
  ["sessions", "cdrs", "tariffs"].flatMap((list) =>
    ["list", "crawl", "recrawl", "offsets", "by1", "by7", "limit1", "limit1.next"].map((id) => [
      `${list}.${id}`,
      id === "list" ? [page([], { total: 0 })] : []
    ])
  )
)

const whole = {
  ...empty,
  "locations.list": [page(places)],
  "locations.crawl": [],
  "locations.recrawl": [page(places)],
  "locations.by1": places.map((place, index) =>
    page([place], { query: `?offset=${index}&limit=1`, hasNext: index < 6 })
  ),
  "locations.by7": [page(places, { query: "?limit=7" })],
  "locations.offsets": [0, 1, 6].map((at) =>
    page(places.slice(at, at + 1), { query: `?offset=${at}&limit=1`, hasNext: at < 6 })
  ),
  "locations.tail": [page(places.slice(6), { query: "?offset=6" })]
}

const graded = (id: string, seen: Seen, of = party) =>
  grade(allChecks.find((check) => check.id === id)!, evidenceFrom(seen, "2.2.1", of), {
    scope: { profile: profileOf("2.2.1"), role: "CPO" },
    profile: "strict",
    checks: allChecks.filter(({ id }) => id.startsWith("PAGE-"))
  })

const told = (id: string, seen: Seen) => {
  const { blockedBy, outcome } = graded(id, seen)
  return blockedBy === undefined ? outcome : `${outcome} ${blockedBy.check}`
}

describe("PAGE-005: a Link on the last page", () => {
  it("passes where no page with the last object has one", () => {
    assert.strictEqual(told("PAGE-005", whole), "passed")
  })

  it.each([
    ["limit is the total", { "locations.by7": [page(places, { query: "?limit=7", hasNext: true })] }],
    [
      "offset and limit are the total together",
      { "locations.offsets": [page(places.slice(6), { query: "?offset=6&limit=1", hasNext: true })] }
    ],
    [
      "the last object is asked for by its offset",
      { "locations.tail": [page(places.slice(6), { query: "?offset=6", hasNext: true })] }
    ]
  ])("is found where %s", (_, change) => {
    const { message = "", outcome } = graded("PAGE-005", { ...whole, ...change })
    assert.strictEqual(outcome, "warned")
    assert.include(message, "has the last of 7 objects")
  })

  it("is not found by a total that is not the number of objects", () => {
    const tail = page(places.slice(3, 4), { query: "?offset=3&limit=1", hasNext: true, total: 4 })
    const list = page(places, { total: 4 })
    assert.notStrictEqual(
      told("PAGE-005", { ...whole, "locations.list": [list], "locations.offsets": [tail] }),
      "warned"
    )
  })
})

describe("one fault of a list", () => {
  it("is told by PAGE-012 where an offset is off by one", () => {
    const off = {
      "locations.by1": [0, 2, 4, 6].map((at) =>
        page(places.slice(at, at + 1), { query: `?offset=${at}&limit=1`, hasNext: at < 6 })
      ),
      "locations.offsets": [page(places.slice(2, 3), { query: "?offset=1&limit=1", hasNext: true })]
    }
    assert.strictEqual(told("PAGE-012", { ...whole, ...off }), "failed")
    assert.strictEqual(told("PAGE-011", { ...whole, ...off }), "not_tested PAGE-012")
  })

  it("is told by PAGE-011 where a limit loses objects", () => {
    const lost = { "locations.by7": [page(places.slice(1), { query: "?limit=7" })] }
    assert.strictEqual(told("PAGE-011", { ...whole, ...lost }), "failed")
    assert.strictEqual(told("PAGE-012", { ...whole, ...lost }), "passed")
  })

  it("is told by PAGE-013 where the total is that of the page, and by PAGE-008 where it is another one everywhere", () => {
    const list = (total: (count: number) => number) => ({
      "locations.list": [page(places.slice(0, 3), { total: total(3), hasNext: true })],
      "locations.crawl": [
        page(places.slice(3, 6), { query: "?offset=3", total: total(3), hasNext: true }),
        page(places.slice(6), { query: "?offset=6", total: total(1) })
      ],
      "locations.offsets": [page(places.slice(6), { query: "?offset=6&limit=1", total: total(1) })],
      ...Object.fromEntries(
        ["locations", "sessions", "cdrs", "tariffs"].map((one) => [
          `${one}.huge`,
          [
            one === "locations"
              ? page(places.slice(0, 3), { total: total(3), hasNext: true })
              : page([], { total: 0 })
          ]
        ])
      ),
      "locations.limit1": [page(places.slice(0, 1), { query: "?limit=1", total: total(1), hasNext: true })]
    })
    const ofPage = list((count) => count)
    assert.strictEqual(told("PAGE-013", { ...whole, ...ofPage }), "failed")
    assert.notStrictEqual(told("PAGE-008", { ...whole, ...ofPage }), "failed")
    assert.strictEqual(told("PAGE-008", { ...whole, ...list(() => 9) }), "failed")
  })

  it("is no place of an object where the list has no order", () => {
    const mixed = {
      "locations.recrawl": [page(places.toReversed())],
      "locations.offsets": [page(places.slice(4, 5), { query: "?offset=0&limit=1", hasNext: true })]
    }
    assert.strictEqual(told("PAGE-010", { ...whole, ...mixed }), "warned")
    assert.strictEqual(told("PAGE-012", { ...whole, ...mixed }), "not_tested PAGE-010")
  })
})

describe("a list in order of the last change, whose stamps have no fraction", () => {
  it("may repeat an object that was shifted within the second of the first page", () => {
    const [a, b, c, d] = places as [Place, Place, Place, Place]
    const moved = { ...d, last_updated: "2026-06-01T12:00:00Z" }
    const seen = {
      ...empty,
      "locations.list": [page([a, b], { total: 4, hasNext: true, made: "2026-06-01T12:00:00.500Z" })],
      "locations.crawl": [page([b, c], { total: 4, query: "?offset=2", made: "2026-06-01T12:00:00.900Z" })],
      "locations.recrawl": [page([moved, a, b, c], { total: 4, made: "2026-06-01T12:00:09.000Z" })]
    }
    assert.strictEqual(told("PAGE-009", seen), "unobservable")
  })
})

describe("a list that shows nothing of pages", () => {
  const [one] = places as [Place]
  const short = {
    ...empty,
    "locations.list": [page([one], { total: 1 })],
    "locations.crawl": [],
    "locations.recrawl": [page([one], { total: 1 })],
    "locations.limit1": [page([one], { total: 1 })],
    "locations.by1": [page([one], { total: 1 })],
    "locations.by7": [page([one], { total: 1 })],
    "locations.offsets": [page([one], { total: 1, query: "?offset=0&limit=1" })]
  }

  it.each(["PAGE-004", "PAGE-009", "PAGE-010", "PAGE-011"])("needs objects, which %s says", (id) => {
    const { attribution, outcome, reason = "" } = graded(id, short)
    assert.deepStrictEqual([outcome, attribution], ["unobservable", "operator"])
    assert.include(reason, "add some, then run again")
  })

  it("has objects enough where the partner ignores limit", () => {
    const all = [page(places)]
    const whole = { "locations.list": all, "locations.limit1": all, "locations.crawl": [] }
    const { blockedBy, outcome } = graded("PAGE-004", { ...empty, ...whole })
    assert.deepStrictEqual([outcome, blockedBy?.check], ["not_tested", "PAGE-003"])
  })

  it("needs them, too, where nothing could be asked for", () => {
    const asked = { withheld: "not_tested" as const, reason: "locations: fewer than two objects" }
    const seen = { ...short, "locations.filtered": asked, "locations.filtered.next": asked }
    const evidence = evidenceFrom({ ...empty, ...seen }, "2.2.1", party)
    const found = allChecks.find(({ id }) => id === "PAGE-007")!.judge(evidence)
    assert.strictEqual(found.is === "inconclusive" && found.outcome, "unobservable")
  })

  it("is that of a hub, whose objects are of other parties", () => {
    const parties = partiesIn(profileOf("2.2.1"), party, {
      roles: [{ role: "HUB", country_code: "NL", party_id: "HUB", business_details: { name: "Hub" } }]
    })
    const hub = { ...party, counterpart: { ...party.counterpart, parties } }
    assert.strictEqual(graded("PAGE-027", whole, hub).outcome, "not_applicable")
  })
})
