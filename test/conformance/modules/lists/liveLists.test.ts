/** Lists whose objects change, appear and vanish while they are read: that is no fault, at whatever moment it happens. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { suiteById } from "../../../../src/conformance/catalogue/suites.ts"
import {
  evidenceOf,
  honest,
  location,
  type Partner,
  type Req,
  type Res
} from "../../support/honestPartner.ts"

const scope = { profile: profileOf("2.2.1"), role: "CPO" } as const
/** All that compare one reading of a list with another. */
const comparing = ["005", "007", "008", "009", "010", "011", "012", "013", "019", "020", "021", "022", "024"]
const checks = suiteById("ocpi-2.2.1-cpo-full")!.checks.filter(
  ({ id }) =>
    ["TRANS-044", "LOC-010", "LOC-011"].includes(id) || comparing.some((number) => id === `PAGE-${number}`)
)
const wanted = ["locations.list", "locations.crawl", ...checks.flatMap((check) => check.needs(scope))].filter(
  (id) => id.startsWith("locations.")
)

type Place = ReturnType<typeof location>
type Change = (places: ReadonlyArray<Place>, at: string) => ReadonlyArray<Place>

const stamp = (place: Place, last_updated: string): Place => ({ ...place, last_updated })
const at =
  (index: number, edit: (place: Place) => ReadonlyArray<Place>): Change =>
  (places) =>
    places.flatMap((place, own) => (own === index % places.length ? edit(place) : [place]))

const changes: Readonly<Record<string, (index: number) => Change>> = {
  changes: (index) => (places, now) => at(index, (place) => [stamp(place, now)])(places, now),
  appears: (index) => (places, now) => [...places, stamp(location(`NEW${index}`, 1), now)],
  vanishes: (index) => at(index, () => [])
}

/** How the partner orders its list: by id, by the last change, or the last change first. */
const orders: Readonly<Record<string, (a: Place, b: Place) => number>> = {
  id: (a, b) => (a.id < b.id ? -1 : 1),
  "last_updated, ascending": (a, b) => (a.last_updated < b.last_updated ? -1 : 1),
  "last_updated, descending": (a, b) => (a.last_updated > b.last_updated ? -1 : 1)
}

const pageSize = 3
const seed = Array.from({ length: 9 }, (_, index) => location(String.fromCharCode(65 + index), index + 1))

/** A partner with `seed`, in which `change` happens before each request for which `isTime`. */
const living = (
  order: (a: Place, b: Place) => number,
  change: (turn: number) => Change,
  isTime: (request: number) => boolean,
  edit: (res: Res, req: Req) => Res = (res) => res
): Partner => {
  let places: ReadonlyArray<Place> = seed
  let requests = 0
  let turns = 0
  return (req) => {
    const res = honest(req)
    if (typeof res === "string" || !req.url.pathname.endsWith("/locations")) return res
    requests += 1
    if (isTime(requests)) {
      turns += 1
      places = change(turns)(places, new Date(Date.UTC(2026, 5, 1, 12, 0, requests)).toISOString())
    }
    const { searchParams } = req.url
    const instant = (text: string) => Date.parse(`${text.replace(/Z$/, "")}Z`)
    const [from, to] = ["date_from", "date_to"].map((name) => instant(searchParams.get(name) ?? ""))
    const found = places
      .map((place) => ({ place, millis: instant(place.last_updated) }))
      .filter(({ millis }) => !(millis < from!) && !(millis >= to!))
      .map(({ place }) => place)
      .toSorted(order)
    const offset = Number(searchParams.get("offset") ?? 0)
    const limit = Math.min(Number(searchParams.get("limit") ?? pageSize), pageSize)
    const next = new URL(req.url)
    next.searchParams.set("offset", String(offset + limit))
    next.searchParams.set("limit", String(limit))
    const { link: _, ...headers } = res.headers
    const page = {
      ...res,
      headers: {
        ...headers,
        "x-total-count": String(found.length),
        "x-limit": String(pageSize),
        ...(offset + limit < found.length ? { link: `<${next.href}>; rel="next"` } : {})
      },
      body: { ...res.body, data: found.slice(offset, offset + limit) }
    }
    return edit(page, req)
  }
}

const accused = (partner: Partner) =>
  Effect.map(evidenceOf(partner, wanted), (evidence) =>
    checks.flatMap((check) => {
      // Judged on this list alone: the others are not read.
      const judgement = check.judge(evidence)
      return judgement.is === "fail" ? judgement.findings.map(({ message }) => `${check.id}: ${message}`) : []
    })
  )

const scenes = Object.keys(changes).flatMap((kind) => Object.keys(orders).map((order) => ({ kind, order })))

describe("a list that lives", () => {
  it.effect.each(scenes)("is no fault when an object $kind once, in order of $order", ({ kind, order }) =>
    Effect.gen(function* () {
      // Some moments of the whole run, which are not the same for each scene.
      const first = 1 + scenes.findIndex((scene) => scene.kind === kind && scene.order === order)
      for (let moment = first; moment <= 60; moment += 5) {
        const index = [0, 4, 8][moment % 3]!
        const partner = living(
          orders[order]!,
          () => changes[kind]!(index),
          (request) => request === moment
        )
        assert.deepStrictEqual(yield* accused(partner), [], `${kind} ${index} before request ${moment}`)
      }
    })
  )

  it.effect.each(Object.keys(orders))(
    "is no fault when one object changes all the time, in order of %s",
    (order) =>
      Effect.gen(function* () {
        for (const [every, index] of [
          [1, 0],
          [1, 8],
          [2, 4],
          [5, 2]
        ]) {
          const partner = living(
            orders[order]!,
            () => changes["changes"]!(index!),
            (request) => request % every! === 0
          )
          assert.deepStrictEqual(yield* accused(partner), [], `${index} every ${every} requests`)
        }
      })
  )
})

describe("a list in which objects come and go again", () => {
  const comeAndGo = (turn: number): Change =>
    turn % 2 === 1
      ? (places, now) => [
          ...places,
          ...Array.from({ length: 6 }, (_, index) => stamp(location(`0${turn}${index}`, 1), now))
        ]
      : (places) => places.filter(({ id }) => !id.startsWith("0"))

  // In these orders they stand where a page of one object shows them: nobody can know of what was on no page.
  it.effect.each(["id", "last_updated, descending"])(
    "is no fault between two readings of it, in order of %s",
    (order) =>
      Effect.gen(function* () {
        for (let from = 2; from <= 60; from += 3) {
          const partner = living(orders[order]!, comeAndGo, (request) => [from, from + 20].includes(request))
          assert.deepStrictEqual(yield* accused(partner), [], `before requests ${from} and ${from + 20}`)
        }
      })
  )
})

describe("a list that stands still", () => {
  const byId = orders["id"]!
  const still = (edit: (res: Res, req: Req) => Res) =>
    accused(
      living(
        byId,
        () => changes["changes"]!(0),
        () => false,
        edit
      )
    )
  const data = (res: Res): ReadonlyArray<Place> => res.body.data

  it.effect("is judged in full", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* still((res) => res), [])
      const lossy = yield* still((res, { url }) =>
        url.searchParams.has("date_from") && url.searchParams.has("date_to")
          ? { ...res, body: { ...res.body, data: data(res).slice(1) } }
          : res
      )
      assert.isTrue(
        lossy.some((one) => one.startsWith("PAGE-024")),
        lossy.join("\n")
      )
    })
  )

  it.effect(
    "is not taken for a moving one because each reading leaves out another object that was there before",
    () =>
      Effect.gen(function* () {
        let readings = 0
        const found = yield* still((res, { url }) => {
          if (url.search !== "") return res
          readings += 1
          return readings === 1
            ? { ...res, body: { ...res.body, data: [data(res)[0], data(res)[0], ...data(res).slice(2)] } }
            : res
        })
        assert.isTrue(
          found.some((one) => one.startsWith("PAGE-009")),
          found.join("\n")
        )
      })
  )
})

describe("a list whose objects have other ids at each reading", () => {
  const renaming = (kept: number, isDeep = false): Partner => {
    let made = 0
    const renumbered = (place: Place) =>
      isDeep ? { evses: place.evses.map((evse, index) => ({ ...evse, uid: `UID-${made}-${index}` })) } : {}
    return living(
      orders["id"]!,
      () => changes["changes"]!(0),
      () => false,
      (res) => ({
        ...res,
        body: {
          ...res.body,
          data: (res.body.data as ReadonlyArray<Place>).map((place) => {
            made += 1
            return place.id.charCodeAt(0) - 65 < kept
              ? place
              : { ...place, id: `ROW-${made}`, ...renumbered(place) }
          })
        }
      })
    )
  }

  it.effect.each([
    ["its objects", false],
    ["its objects, whose parts have other ids, too,", true]
  ] as const)("is one finding, which blocks what seeks %s by their ids", ([, isDeep]) =>
    Effect.gen(function* () {
      const evidence = yield* evidenceOf(renaming(0, isDeep), wanted)
      const found = new Map(checks.map((check) => [check.id, check.judge(evidence)]))
      const failed = [...found].filter(([, { is }]) => is === "fail").map(([id]) => id)
      assert.deepStrictEqual(failed, ["PAGE-010"])
      const blocked = [...found].flatMap(([id, judgement]) =>
        judgement.is === "inconclusive" && judgement.blockedBy?.check === "PAGE-010" ? [id] : []
      )
      assert.sameMembers(blocked, [
        ...["PAGE-011", "PAGE-012", "PAGE-019", "PAGE-021", "PAGE-022", "PAGE-024", "TRANS-044"]
      ])
    })
  )

  it.effect("is not one where most objects keep their ids", () =>
    Effect.gen(function* () {
      const found = yield* accused(renaming(5))
      assert.isEmpty(found.filter((one) => /^PAGE-010.*other ids/.test(one)))
    })
  )
})

describe("a partner that includes the object at date_to", () => {
  it.effect("does not pass because that object changed before it was asked for", () =>
    Effect.gen(function* () {
      const inclusive = checks.find(({ id }) => id === "PAGE-020")!
      const outcomes = new Set<string>()
      for (let moment = 1; moment <= 60; moment += 3) {
        const lively = living(
          orders["id"]!,
          () => changes["changes"]!(4),
          (request) => request === moment
        )
        const partner: Partner = (req) => {
          const url = new URL(req.url)
          const to = url.searchParams.get("date_to")
          if (to !== null) url.searchParams.set("date_to", new Date(Date.parse(to) + 1000).toISOString())
          return lively({ ...req, url })
        }
        outcomes.add(inclusive.judge(yield* evidenceOf(partner, wanted)).is)
      }
      assert.deepStrictEqual([...outcomes].toSorted(), ["fail", "inconclusive"])
    })
  )
})

describe("a list in which two objects share an id", () => {
  it.effect("is no finding of the windows between which the two stand", () =>
    Effect.gen(function* () {
      // The first and the last of the list, one in each of the windows.
      const shared = living(
        orders["id"]!,
        () => (places) => places,
        () => false,
        (res) => ({
          ...res,
          body: {
            ...res.body,
            data: (res.body.data as ReadonlyArray<Place>).map((place) =>
              place.id === "I" ? { ...place, id: "A" } : place
            )
          }
        })
      )
      const found = new Set((yield* accused(shared)).map((line) => line.slice(0, 8)))
      assert.isTrue(found.has("PAGE-009"))
      assert.isFalse(found.has("PAGE-024"))
    })
  )
})
