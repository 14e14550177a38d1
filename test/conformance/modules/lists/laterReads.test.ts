/** What two and three readings of a list prove, and what they do not: data that move are not held against the partner. */
import { assert, describe, it } from "@effect/vitest"
import { profileOf, versionNumbers } from "../../../../schema/ocpi/versions.ts"
import type { Check } from "../../../../src/conformance/model/Check.ts"
import {
  type EvidenceBasis,
  type Gathered,
  makeEvidence
} from "../../../../src/conformance/model/Evidence.ts"
import { lostLocationsChecks } from "../../../../src/conformance/modules/locations/lostLocations.ts"
import { movingPagesChecks } from "../../../../src/conformance/modules/paging/movingPages.ts"
import { locations, tokens } from "../../../../src/conformance/modules/shared/objects/ListedKind.ts"
import { sameContent } from "../../../../src/conformance/modules/shared/readings/contents.ts"
import { laterProbes } from "../../../../src/conformance/modules/shared/readings/laterReads.ts"
import { stampChecks } from "../../../../src/conformance/modules/shared/readings/stampChecks.ts"
import type { JsonObject } from "../../../../src/findings/json.ts"

const begun = Date.parse("2026-06-01T12:00:00Z")
const old = "2026-05-01T00:00:00Z"
const fresh = "2026-06-01T12:03:00Z"

const plug = (change: JsonObject = {}) => ({
  id: "1",
  standard: "IEC_62196_T2",
  last_updated: old,
  ...change
})
const evse = (change: JsonObject = {}) => ({
  uid: "E1",
  status: "AVAILABLE",
  capabilities: ["RFID_READER", "RESERVABLE"],
  connectors: [plug()],
  last_updated: old,
  ...change
})
const place = (id: string, change: JsonObject = {}): JsonObject => ({
  country_code: "NL",
  party_id: "TNM",
  id,
  name: `Place ${id}`,
  images: [{ url: "https://pictures.example/1.png?signature=a" }],
  evses: [evse()],
  last_updated: old,
  ...change
})

type List = ReadonlyArray<JsonObject>
interface Read {
  readonly first: List
  readonly after: List
  /** The third reading; absent: the list was not read again. */
  readonly third?: List
  readonly more?: ReadonlyArray<readonly [string, Gathered]>
  readonly seconds?: number
}

const answer = (
  id: string,
  seconds: number,
  json: unknown,
  { httpStatus = 200, about = "", url = "https://partner.example/list" } = {}
) => ({
  about,
  json,
  exchange: {
    id,
    direction: "outbound" as const,
    module: "locations",
    operation: "list",
    request: { method: "GET", url, headers: {}, body: null, truncated: false },
    response: { httpStatus, ocpiStatusCode: 1000, headers: {}, body: null, truncated: false },
    outcome: "completed" as const,
    startedAt: new Date(begun + seconds * 1000).toISOString(),
    durationMs: 1,
    requestId: "r",
    correlationId: "c"
  }
})
const listed = (id: string, seconds: number, data: List): Gathered => ({
  seen: [answer(id, seconds, { data, status_code: 1000, timestamp: fresh })]
})

/** Evidence of a list that was read at the start of the run and again after some minutes. */
const readings = (module: string, { after, first, more = [], seconds = 200, third }: Read) =>
  makeEvidence(
    {
      // What the checks look at, and nothing else.
      party: { counterpart: { role: module === "tokens" ? "EMSP" : "CPO" } },
      profile: profileOf("2.2.1"),
      startedAt: new Date(begun).toISOString()
    } as unknown as EvidenceBasis,
    new Map<string, Gathered>([
      ["inbound", { seen: [] }],
      [`${module}.list`, listed("first", 1, first)],
      [`${module}.crawl`, { seen: [] }],
      [`${module}.after`, listed("after", seconds, after)],
      [`${module}.once-more`, third === undefined ? { seen: [] } : listed("third", seconds + 5, third)],
      ...more
    ])
  )

const told = (check: Check | undefined, module: string, read: Read): string => {
  const is = check!.judge(readings(module, read))
  if (is.is === "fail") return is.findings.map(({ message }) => message).join("; ")
  return is.is === "pass" ? "passed" : is.outcome
}

describe("the content of an object", () => {
  it("is the same however it is written, and another with any other value", () => {
    const one = place("A")
    const shuffled = place("A", {
      evses: [evse({ capabilities: ["RESERVABLE", "RFID_READER"], parking_restrictions: null })],
      images: [{ url: "https://pictures.example/1.png?signature=b" }],
      last_updated: fresh
    })
    assert.isTrue(sameContent(one, shuffled))
    assert.isFalse(sameContent(one, place("A", { evses: [evse({ status: "CHARGING" })] })))
    assert.isFalse(sameContent(one, place("A", { name: "Elsewhere" })))
  })
})

describe("last_updated", () => {
  const [changed, still] = stampChecks(locations, { changed: "LOC-049", still: "LOC-050" })
  const both = [place("A"), place("B")]
  const again = (change: JsonObject) => [place("A", change), place("B", change)]

  it("that moves alone on every object is told with the share, and both readings of the text", () => {
    const later = again({ last_updated: fresh })
    const judgement = still!.judge(readings("locations", { first: both, after: later, third: later }))
    assert.strictEqual(judgement.is, "fail")
    const [one] = judgement.is === "fail" ? judgement.findings : []
    assert.include(one?.message, "2 of 2 locations")
    assert.strictEqual(one?.ambiguous?.readings.length, 2)
    assert.strictEqual(still!.strength, "should")
  })

  it("that moves with a status that is as before again is no finding", () => {
    const flipped = again({ last_updated: fresh, evses: [evse({ last_updated: fresh })] })
    assert.strictEqual(
      told(still, "locations", { first: both, after: flipped, third: flipped }),
      "unobservable"
    )
    const all = { last_updated: fresh, connectors: [plug({ last_updated: fresh })] }
    const stamped = again({ last_updated: fresh, evses: [evse(all)] })
    assert.include(told(still, "locations", { first: both, after: stamped, third: stamped }), "2 of 2")
  })

  it("that moves alone on those that did not change is told, however many others changed", () => {
    const ids = ["A", "B", "C", "D", "E"]
    const first = ids.map((id) => place(id))
    const changed = { last_updated: fresh, evses: [evse({ last_updated: fresh })] }
    const after = ids.map((id, index) => place(id, index < 2 ? { last_updated: fresh } : changed))
    const judgement = still!.judge(readings("locations", { first, after, third: after }))
    const [one] = judgement.is === "fail" ? judgement.findings : []
    assert.include(one?.message, "2 of 2 locations")
  })

  it("that is the time of each answer is told, though connectors have none", () => {
    const at = (last_updated: string) =>
      again({
        last_updated,
        evses: [evse({ last_updated, connectors: [plug({ last_updated: undefined })] })]
      })
    const read = { first: at(old), after: at(fresh), third: at("2026-06-01T12:03:05Z") }
    assert.include(told(still, "locations", read), "2 of 2")
    const justNow = { ...read, first: at("2026-06-01T11:59:59Z") }
    const judgement = changed!.judge(readings("locations", justNow))
    assert.include(judgement.is === "inconclusive" && judgement.reason, "less than 10 minutes before the run")
  })

  it("of one object among many, of one alone, and of two readings in one moment proves nothing", () => {
    const many = [...both, place("C")]
    const one = [place("A", { last_updated: fresh }), place("B"), place("C")]
    assert.strictEqual(told(still, "locations", { first: many, after: one, third: one }), "passed")
    const alone = { first: many.slice(0, 1), after: one.slice(0, 1), third: one.slice(0, 1) }
    assert.strictEqual(told(still, "locations", alone), "unobservable")
    const close = { first: both, after: again({ last_updated: fresh }), seconds: 3 }
    assert.strictEqual(told(still, "locations", close), "unobservable")
  })

  it("that stays while the object changes is told, once two later readings say so", () => {
    const renamed = again({ name: "Elsewhere" })
    const message = told(changed, "locations", { first: both, after: renamed, third: renamed })
    assert.include(message, "A: the second reading shows another value of name")
    const flapping = { first: both, after: renamed, third: both }
    assert.strictEqual(told(changed, "locations", flapping), "unobservable")
    assert.strictEqual(told(changed, "locations", { first: both, after: renamed }), "unobservable")
  })

  it("is held for good only of an object that was seen to change", () => {
    assert.strictEqual(told(changed, "locations", { first: both, after: both }), "unobservable")
    const renamed = [place("A", { last_updated: fresh, name: "Elsewhere" }), place("B")]
    assert.strictEqual(told(changed, "locations", { first: both, after: renamed }), "passed")
  })

  it("of an object that changes all the time, or has fields of the partner's own, is no finding", () => {
    const live = [place("A", { last_updated: "2026-06-01T11:59:00Z" })]
    const moved = [place("A", { last_updated: "2026-06-01T11:59:00Z", name: "Elsewhere" })]
    assert.strictEqual(
      told(changed, "locations", { first: live, after: moved, third: moved }),
      "unobservable"
    )
    const own = again({ x_load: 12 })
    assert.strictEqual(told(changed, "locations", { first: both, after: own, third: own }), "unobservable")
  })

  it("is compared for tokens by uid and type", () => {
    const card = (type: string, change: JsonObject = {}) => ({ uid: "1", type, last_updated: old, ...change })
    const [silent] = stampChecks(tokens, { changed: "TOK-030", still: "TOK-031" })
    const first = [card("RFID", { issuer: "one" }), card("APP_USER", { issuer: "two" })]
    assert.strictEqual(told(silent, "tokens", { first, after: first.toReversed() }), "unobservable")
    const third = [card("RFID", { issuer: "other" }), first[1]!]
    assert.include(told(silent, "tokens", { first, after: third, third }), "issuer")
  })

  it("that stays while only ids of EVSEs change is the finding of another check", () => {
    const uids = { evses: [evse({ uid: "E9" })] }
    const [renamed, more] = [again(uids), again({ ...uids, name: "Elsewhere" })]
    const otherIds = { first: both, after: renamed, third: renamed }
    assert.strictEqual(told(changed, "locations", otherIds), "unobservable")
    assert.include(told(changed, "locations", { first: both, after: more, third: more }), "name")
  })

  it("is not compared where two objects share an id, in either reading", () => {
    const [silent] = stampChecks(tokens, { changed: "TOK-030", still: "TOK-031" })
    const card = (uid: string, issuer: string) => ({ uid, type: "RFID", issuer, last_updated: old })
    const shared = [card("1", "one"), card("1", "two")]
    assert.strictEqual(
      told(silent, "tokens", { first: shared, after: shared, third: shared }),
      "unobservable"
    )
    const own = [card("1", "one"), card("2", "two")]
    const again = [card("1", "two"), card("2", "two"), card("1", "one")]
    assert.strictEqual(told(silent, "tokens", { first: own, after: again, third: again }), "unobservable")
  })

  it("makes the list be read a third time only where something has to be confirmed", () => {
    const [, onceMore] = laterProbes("locations")
    const asked = (read: Read) => {
      const asks = "asks" in onceMore! ? onceMore.asks(readings("locations", read)) : []
      return "withheld" in asks ? -1 : asks.length
    }
    assert.strictEqual(asked({ first: both, after: both }), 0)
    assert.strictEqual(asked({ first: both, after: again({ name: "X", last_updated: fresh }) }), 0)
    assert.strictEqual(asked({ first: both, after: again({ last_updated: fresh }) }), 1)
    assert.strictEqual(asked({ first: both, after: again({ name: "X" }) }), 1)
    assert.strictEqual(asked({ first: both, after: both.slice(1) }), 1)
  })
})

describe("a location that is not listed any more", () => {
  const [check] = lostLocationsChecks
  const both = [place("A"), place("B")]
  const asked = (httpStatus: number): Read["more"] => [
    ["locations.lost", { seen: [answer("lost", 210, { status_code: 2003 }, { httpStatus, about: "A" })] }]
  ]
  const gone = (first: List, httpStatus: number) =>
    told(check, "locations", { first, after: [place("B")], third: [place("B")], more: asked(httpStatus)! })

  it("is told with both readings of the text when its id is unknown too", () => {
    assert.include(gone(both, 404), "the location A")
    assert.notInclude(gone(both, 404), "two ways")
    const lost = { first: both, after: [place("B")], third: [place("B")], more: asked(404)! }
    const judgement = check!.judge(readings("locations", lost))
    const [found] = judgement.is === "fail" ? judgement.findings : []
    assert.include(found?.ambiguous?.section, "GET List Response Data")
    assert.lengthOf(found?.ambiguous?.readings ?? [], 2)
    assert.strictEqual(check!.strength, "should")
    assert.deepStrictEqual(check!.versions, versionNumbers)
  })

  it("is no finding after a server error, when it is listed again, or when its EVSEs were REMOVED", () => {
    assert.strictEqual(gone(both, 500), "passed")
    const back = { first: both, after: [place("B")], third: both, more: asked(404)! }
    assert.strictEqual(told(check, "locations", back), "passed")
    assert.strictEqual(
      gone([place("A", { evses: [evse({ status: "REMOVED" })] }), place("B")], 404),
      "passed"
    )
    assert.strictEqual(gone([place("A", { evses: [] }), place("B")], 404), "passed")
  })
})

describe("a list whose objects change", () => {
  const [check] = movingPagesChecks
  const first = ["A", "B", "C"].map((id) => place(id))
  const moved = (id: string) => place(id, { last_updated: fresh })
  const listedAs = (after: List, before: List = first) =>
    told(check, "locations", { first: before, after, third: after })

  it("keeps its order", () => {
    assert.strictEqual(listedAs([place("A"), moved("B"), place("C")]), "passed")
    assert.strictEqual(listedAs([...first, moved("D")]), "passed")
    assert.strictEqual(listedAs(first.map(({ id }) => moved(String(id)))), "passed")
  })

  it("is told where an object that changed has moved, with its places", () => {
    assert.include(listedAs([place("A"), place("C"), moved("B")]), "B changed and moved from place 2 to 3")
    assert.include(listedAs([moved("C"), place("A"), place("B")]), "C changed and moved from place 3 to 1")
    // All have changed: none is left to compare with.
    assert.include(listedAs([moved("B"), moved("A"), moved("C")]), "B changed and moved from place 2 to 1")
    // Its place is the same, since another one that changed stands elsewhere, too.
    assert.include(
      listedAs([place("C"), moved("B"), moved("A")]),
      "B changed and stands behind 1 of the objects that did not change, and stood behind 0"
    )
    assert.strictEqual(check!.strength, "should")
  })

  it("only records that new objects stand before others", () => {
    const is = check!.judge(readings("locations", { first, after: [moved("D"), ...first] }))
    assert.deepStrictEqual(is.is === "fail" && is.findings.map(({ strength }) => strength), ["may"])
  })

  it("is not judged without a change, nor where the others moved too", () => {
    assert.strictEqual(listedAs(first), "unobservable")
    assert.strictEqual(listedAs([place("C"), moved("B"), place("A")]), "unobservable")
    // An object that went leaves the order of the others as it was.
    assert.strictEqual(listedAs([place("A"), moved("C")]), "passed")
  })

  it("is judged for tokens by uid and type", () => {
    const card = (type: string, last_updated = old) => ({ uid: "1", type, last_updated })
    const before = [card("RFID"), card("APP_USER")]
    const after = [card("APP_USER"), card("RFID", fresh)]
    assert.include(told(check, "tokens", { first: before, after }), "1 changed and moved from place 1 to 2")
  })
})
