/** Requests that follow links: which of them are made although the same was asked before in the run. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { asAnswered, type Gathered, type NotGathered } from "../../../src/conformance/model/Evidence.ts"
import {
  mostCrawlBytes,
  mostRunBytes,
  type Probe,
  type ProbeRequest
} from "../../../src/conformance/model/Probe.ts"
import { linked, readAgain } from "../../../src/conformance/modules/shared/lists.ts"
import { gather } from "../../../src/conformance/run/gather.ts"
import { answered, evidenceFrom } from "../support/handmade.ts"

/** A list of two pages. */
const pageAt = ({ url }: ProbeRequest) =>
  answered("cdrs", [{ id: url === undefined ? "C1" : "C2" }], {
    response: {
      httpStatus: 200,
      ocpiStatusCode: 1000,
      headers: url === undefined ? { link: '<https://cpo.example/ocpi/2.2.1/cdrs/next>; rel="next"' } : {},
      body: "{}",
      truncated: false
    }
  })

const asked = (probe: Probe) =>
  Effect.gen(function* () {
    const asks: Array<ProbeRequest> = []
    const results = new Map<string, Gathered>()
    yield* gather(
      {
        probes: new Map([[probe.id, probe]]),
        results,
        evidence: evidenceFrom({}),
        send: (asking) => {
          asks.push(asking)
          return Effect.succeed(pageAt(asking))
        },
        script: () => Effect.die("no script here"),
        inbound: () => Effect.die("nothing inbound here")
      },
      [probe.id]
    )
    return asks
  })

describe("a list whose link was followed before", () => {
  it.effect("is read anew to its end when it is read again", () =>
    Effect.gen(function* () {
      const asks = yield* asked(readAgain("cdrs", "cdrs.again", { operation: "list, read again" }))
      assert.deepStrictEqual(
        asks.map(({ again }) => again),
        [true, true]
      )
    })
  )

  it.effect("is read once where it is not", () =>
    Effect.gen(function* () {
      const first: ProbeRequest = { module: "cdrs", interfaceRole: "SENDER", operation: "list" }
      const asks = yield* asked({
        id: "cdrs.some",
        asks: () => [first],
        next: (seen) => (seen.length === 1 ? linked("cdrs", seen.flatMap(asAnswered)[0]) : undefined)
      })
      assert.deepStrictEqual(
        asks.map(({ again }) => again),
        [undefined, undefined]
      )
    })
  )
})

describe("requests of which one kind is not sent any more", () => {
  const asks: ReadonlyArray<ProbeRequest> = ["cdrs", "tokens"].map((module) => ({
    module,
    interfaceRole: "SENDER",
    operation: "list"
  }))
  const gathered = (closed: NotGathered, isClosed: (asking: ProbeRequest) => boolean) =>
    Effect.gen(function* () {
      const results = new Map<string, Gathered>()
      yield* gather(
        {
          probes: new Map([["both", { id: "both", asks: () => asks }]]),
          results,
          evidence: evidenceFrom({}),
          send: (asking) => Effect.succeed(isClosed(asking) ? closed : pageAt(asking)),
          script: () => Effect.die("no script here"),
          inbound: () => Effect.die("nothing inbound here")
        },
        ["both"]
      )
      return results.get("both")
    })
  const why = { withheld: "not_tested", reason: "no more of them were sent" } as const
  const isToken = ({ module }: ProbeRequest) => module === "tokens"

  it.effect("leave what the others have brought", () =>
    Effect.gen(function* () {
      const found = yield* gathered({ ...why, ofKind: true }, isToken)
      assert.lengthOf(found !== undefined && "seen" in found ? found.seen : [], 1)
    })
  )

  it.effect("say why, where there are no others, or where nothing is sent any more", () =>
    Effect.gen(function* () {
      const none = yield* gathered({ ...why, ofKind: true }, () => true)
      assert.deepInclude(none, why)
      assert.deepInclude(yield* gathered(why, isToken), why)
    })
  )
})

describe("lists that never end", () => {
  const mebibyte = 1024 * 1024
  /** What the crawls of a run read of lists whose every page is a mebibyte and has a link. */
  const crawled = (modules: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      let pages = 0
      const results = new Map<string, Gathered>()
      const probes = modules.map(
        (module): Probe => ({
          id: `${module}.crawl`,
          asks: () => [{ module, interfaceRole: "SENDER", operation: "list" }],
          next: (seen) => linked(module, seen.flatMap(asAnswered).at(-1))
        })
      )
      const body = "x".repeat(mebibyte)
      yield* gather(
        {
          probes: new Map(probes.map((probe) => [probe.id, probe])),
          results,
          evidence: evidenceFrom({}),
          send: ({ module }) => {
            pages += 1
            const headers = { link: `<https://cpo.example/${module}?page=${pages}>; rel="next"` }
            return Effect.succeed(
              answered(module, [{ id: "C1" }], {
                response: { httpStatus: 200, ocpiStatusCode: 1000, headers, body, truncated: false }
              })
            )
          },
          script: () => Effect.die("no script here"),
          inbound: () => Effect.die("nothing inbound here")
        },
        probes.map(({ id }) => id)
      )
      return { pages, results }
    })

  it.effect("are read as far as one crawl may bring", () =>
    Effect.gen(function* () {
      const { pages, results } = yield* crawled(["cdrs"])
      assert.isAtMost(pages * mebibyte, mostCrawlBytes + 2 * mebibyte)
      const crawl = results.get("cdrs.crawl")
      assert.isTrue(crawl !== undefined && "seen" in crawl && crawl.stopped === "cap")
    })
  )

  it.effect("are read as far as all crawls of a run may bring", () =>
    Effect.gen(function* () {
      const { pages } = yield* crawled([
        "locations",
        "sessions",
        "cdrs",
        "tariffs",
        "tokens",
        "hubclientinfo"
      ])
      assert.isAtMost(pages * mebibyte, mostRunBytes + 12 * mebibyte)
    })
  )
})
