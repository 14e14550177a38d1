/** Direct answers and those of the contract's routes, over the same services: the same, to the byte. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { makeDirectAnswers } from "../../../src/http/direct/DirectAnswers.ts"
import { makeDirectOcpi } from "../../../src/http/handlers/directOcpi.ts"
import { Draining } from "../../../src/http/request/Draining.ts"
import { defaultLimits, RateLimits } from "../../../src/services/accounts/RateLimits.ts"
import { callers } from "../../support/http/memoryStores.ts"
import { below } from "../../support/http/servedApi.ts"
import { factsOf, write } from "../../support/http/writtenRuns.ts"
import { Both, both, comparable, countedSoFar, get, raw } from "../support/bothServers.ts"

const runs = "/api/v1/testing/journey-runs"
const reports = "/api/v1/testing/runs"

/** Paths, headers that change or replace the usual ones (empty: not sent), and the method, with a body after a line feed. */
const requests: ReadonlyArray<readonly [string, Record<string, string>?, string?]> = [
  [`${runs}/run_open`],
  [`${runs}/run_over`],
  [`${runs}/run_over/`],
  [`${runs}/run_over?`],
  [`${runs}/run_over?x=1`],
  [`${runs}/run_over`, {}, "HEAD"],
  [`${runs}/run_over`, {}, "DELETE"],
  [`${runs}/run_over`, {}, "OPTIONS"],
  [`${runs}/run%5Fover`],
  [`${runs}/run_of_bob`],
  [`${runs}/run_none`],
  [`${runs}/rep_over`],
  [`${runs}/run_suite`],
  [`${runs}/${"a".repeat(300)}`],
  [`${runs}/`],
  [`${runs}//`],
  [`${runs}/../${"x".repeat(20)}`],
  [runs],
  [`${runs}?limit=1`],
  [`${runs}?limit=1&cursor=run_over`],
  [`${runs}?limit=0`],
  [`${runs}?limit=1&limit=2`],
  [`${runs}?limit=999`],
  [`${runs}?status=completed`],
  [`${runs}?cursor=`],
  [`${runs}/run_over/events`],
  [`${runs}/run_over/events?limit=2`],
  [`${runs}/run_over/events?after=2&limit=2`],
  [`${runs}/run_over/events?after=99`],
  [`${runs}/run_over/events?after=x`],
  [`${runs}/run_over/events?after=9999999999`],
  [`${runs}/run_over/events?type=run.started`],
  [`${runs}/run_suite/events?limit=1`],
  [`${runs}/run_none/events`],
  [`${runs}/run_over/other`],
  [`${reports}/rep_over`],
  [`${reports}/run_over`],
  [`${reports}/run_suite`],
  [`${reports}/rep_open`],
  [`${reports}/rep_of_bob`],
  [`${reports}/rep_over?wait=5`],
  [`${reports}/run_over?wait=5&since=3`],
  [`${reports}/run_over?since=x`],
  [`${reports}/run_open?wait=x`],
  [reports],
  ["/health/live"],
  ["/health/live", { authorization: "" }],
  ["/health/live?x=1"],
  ["/health/live/"],
  ["/health/live", { accept: "text/html" }],
  ["/health/ready"],
  [`${runs}/run_over`, { authorization: "" }],
  [`${runs}/run_over`, { authorization: "Bearer nobody-key" }],
  [`${runs}/run_over`, { authorization: "bearer   alice-key" }],
  [`${runs}/run_over`, { authorization: "Basic alice-key" }],
  [`${runs}/run_over`, { authorization: `Bearer ${"k".repeat(600)}` }],
  [`${runs}/run_over`, { accept: "application/json" }],
  [`${runs}/run_over`, { accept: "text/html" }],
  [`${runs}/run_over`, { accept: "text/html;q=0.9, */*;q=0.1" }],
  [`${runs}/run_over`, { "accept-encoding": "gzip, br" }],
  [`${runs}/run_over`, { "if-none-match": "*" }],
  [`${runs}/run_over`, { cookie: "a=b" }],
  [`${runs}/run_over`, { expect: "200-ok" }],
  [`${runs}/run_over`, { "content-length": "0" }],
  [`${runs}/run_over`, { host: "" }],
  [`${runs}/run_over`, { Host: "y" }],
  [`${runs}/run_over`, { Authorization: "Bearer bob-key" }],
  ["/ocpi"],
  ["/ocpi/"],
  ["/ocpi/versions", { authorization: "" }],
  ["/ocpi/versions", { authorization: "Token x", "x-request-id": "theirs" }],
  ["/ocpi/versions?x=1&y=%20", { authorization: "Token x", Authorization: "Token y" }],
  ["/ocpi/versions", { cookie: "a=b", "x-many": "1", "X-Many": "2" }],
  ["/ocpi/versions", {}, "HEAD"],
  ["/ocpi/versions", {}, "OPTIONS"],
  ["/ocpi/versions", {}, "PROPFIND"],
  ["/ocpi/versions", { host: "" }],
  ["/ocpi/versions", { Host: "y" }],
  ["/ocpi/versions", { expect: "200-ok" }],
  ["/ocpi//versions;a#b"],
  ["/ocpi/a%20b/%2F"],
  ["/ocpi/a%2"],
  [`/ocpi/${"a".repeat(300)}`],
  ["/ocpix"],
  ["/OCPI/versions"],
  ["/api/v1/ocpi/versions"],
  ["/sandbox/pty_1/ocpi/versions"],
  ["/sandbox//ocpi/versions"],
  [`/sandbox/${"a".repeat(300)}/ocpi`],
  ["/ocpi/any/locations/NL/PLG/1", { "content-length": "10" }, 'PUT\n{"a":"é"}'],
  ["/ocpi/any/locations/NL/PLG/1", { "transfer-encoding": "chunked" }, "PUT\n2\r\n{}\r\n0\r\n\r\n"],
  ["/ocpi/any/locations/NL/PLG/1", { "content-length": "1048577" }, "PUT"],
  ["/ocpi/any/locations/NL/PLG/1", {}, "DELETE"]
]

// More than are sent with one key, until one test uses up its rate.
const limits = { ...defaultLimits, requests: 600 }

layer(both.pipe(Layer.provideMerge(below({ services: { limits } }))), { excludeTestServices: true })(
  "a direct answer",
  (it) => {
    it.effect(
      "is the answer of the contract's route, and counted like it",
      () =>
        Effect.gen(function* () {
          const { direct, general } = yield* Both
          yield* write(factsOf("open"), 1, 2)
          yield* write(factsOf("over"), 1, 3)
          yield* write({ ...factsOf("suite"), kind: "conformance" }, 1, 3)
          yield* write(factsOf("of_bob", "own_bob"), 1, 3)
          // The second time the direct answers know what the first one has read.
          for (const time of ["first", "second"]) {
            for (const [path, headers, method] of requests) {
              const asked = get(path, headers, method)
              const before = countedSoFar()
              const own = yield* raw(direct, asked)
              const between = countedSoFar()
              const theirs = yield* raw(general, asked)
              assert.match(theirs, /^HTTP\/1\.1 \d{3} /, asked)
              assert.notMatch(theirs, /^HTTP\/1\.1 429 /)
              assert.strictEqual(comparable(own), comparable(theirs), `the ${time} time: ${asked}`)
              assert.strictEqual(between - before, countedSoFar() - between, `counted: ${asked}`)
            }
          }
        }),
      60_000
    )

    it.effect("is given to what is plain, and to nothing else", () =>
      Effect.gen(function* () {
        const direct = yield* makeDirectAnswers.pipe(Effect.withTracerEnabled(false))
        const toPartners = yield* makeDirectOcpi.pipe(Effect.withTracerEnabled(false))
        const server = createServer((request, response) =>
          direct(request, response, () =>
            toPartners(request, response, () => response.end("by the contract"))
          )
        )
        const port = yield* Effect.async<number>((resume) => {
          server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
        })
        const isDirect = ([path, headers, method]: (typeof requests)[number]) =>
          Effect.map(raw(port, get(path, headers, method)), (answer) => answer.includes("x-request-id: "))
        // Whether a run that is over need not be waited for is known for a second.
        const steady = requests.filter(([path]) => !path.includes("wait="))
        const plain = yield* Effect.filter(steady, isDirect)
        server.close()
        assert.deepStrictEqual(
          plain.map(([path, headers]) => [path, ...Object.keys(headers ?? {})].join(" ")),
          [
            `${runs}/run_open`,
            `${runs}/run_over`,
            `${runs}/run_over?`,
            `${runs}/rep_over`,
            runs,
            `${runs}?limit=1`,
            `${runs}?limit=1&cursor=run_over`,
            `${runs}?limit=999`,
            `${runs}/run_over/events`,
            `${runs}/run_over/events?limit=2`,
            `${runs}/run_over/events?after=2&limit=2`,
            `${runs}/run_over/events?after=99`,
            `${runs}/run_suite/events?limit=1`,
            `${reports}/rep_over`,
            `${reports}/run_over`,
            `${reports}/run_suite`,
            `${reports}/rep_open`,
            "/health/live",
            "/health/live authorization",
            "/health/live?x=1",
            `${runs}/run_over authorization`,
            `${runs}/run_over accept`,
            `${runs}/run_over accept-encoding`,
            `${runs}/run_over if-none-match`,
            `${runs}/run_over cookie`,
            "/ocpi",
            "/ocpi/",
            "/ocpi/versions authorization",
            "/ocpi/versions authorization x-request-id",
            "/ocpi/versions?x=1&y=%20 authorization Authorization",
            "/ocpi/versions cookie x-many X-Many",
            "/ocpi//versions;a#b",
            "/api/v1/ocpi/versions",
            "/sandbox/pty_1/ocpi/versions",
            "/ocpi/any/locations/NL/PLG/1 content-length",
            "/ocpi/any/locations/NL/PLG/1 content-length",
            "/ocpi/any/locations/NL/PLG/1"
          ]
        )
      })
    )

    it.effect(
      "is counted against the rate of the key once, and refused by it in the words of the contract",
      () =>
        Effect.gen(function* () {
          const { direct } = yield* Both
          yield* write(factsOf("rated", "own_poor"), 1, 3)
          const key = { authorization: "Bearer poor-key" }
          const levels: Array<number> = []
          for (const path of ["run_rated", "run_rated", "run_nothing", "run_rated/events", "run_rated"]) {
            const answer = yield* raw(direct, get(`${runs}/${path}`, key))
            levels.push(Number(/^ratelimit: "default";r=(\d+)/m.exec(answer)?.[1]))
          }
          assert.deepStrictEqual(
            levels,
            levels.map((_, at) => levels[0]! - at)
          )
          const { request } = yield* RateLimits
          yield* Effect.replicateEffect(request(callers["poor-key"]!), levels.at(-1)!, { discard: true })
          const refused = yield* raw(direct, get(`${runs}/run_rated`, key))
          assert.match(refused, /^HTTP\/1\.1 429 /)
          assert.match(refused, /^retry-after: \d+\r$/m)
          assert.include(refused, "requests a minute a key")
        })
    )

    it.effect("is given to no one while the server drains", () =>
      Effect.gen(function* () {
        const { direct, general } = yield* Both
        yield* (yield* Draining).begin
        for (const path of [`${runs}/run_over`, "/health/live"]) {
          const own = yield* raw(direct, get(path))
          assert.strictEqual(comparable(own), comparable(yield* raw(general, get(path))))
          assert.match(own, path === "/health/live" ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 503 /)
        }
      })
    )
  }
)
