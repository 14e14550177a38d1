/** Long polls of a run of this process: the direct answer and that of the contract's routes are the same, to the byte. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { OwnerId } from "../../../schema/Ids.ts"
import { makeDirectAnswers } from "../../../src/http/direct/DirectAnswers.ts"
import { Draining } from "../../../src/http/request/Draining.ts"
import { RunLogs } from "../../../src/ledger/run/RunLog.ts"
import { RateLimits } from "../../../src/services/accounts/RateLimits.ts"
import { below } from "../../support/http/servedApi.ts"
import { factsOf, write } from "../../support/http/writtenRuns.ts"
import { created, draft, newFacts, sample, started } from "../../support/runs/sampleRun.ts"
import { Both, both, comparable, countedSoFar, get, raw } from "../support/bothServers.ts"

const completed = draft("run.completed", { data: { verdict: "pass" } })

const liveRun = (owner = "own_alice") =>
  Effect.gen(function* () {
    const facts = newFacts({ ownerId: OwnerId.make(owner) })
    const { log } = yield* (yield* RunLogs).create(sample, facts, [created])
    return { log, path: `/api/v1/testing/runs/${facts.reportId}` }
  })

/** The answer of both to a poll, during which `acts` happen, after each of which both still wait or neither does. */
const answerOfBoth = (
  path: string,
  acts: ReadonlyArray<Effect.Effect<unknown, unknown>> = [],
  key = "alice-key"
) =>
  Effect.gen(function* () {
    const { direct, general } = yield* Both
    const asked = get(path, { authorization: `Bearer ${key}` })
    const polls = yield* Effect.forEach([direct, general], (port) => Effect.fork(raw(port, asked)))
    yield* heard
    for (const act of acts) {
      yield* Effect.sleep("300 millis")
      assert.deepStrictEqual(
        (yield* Effect.forEach(polls, Fiber.poll)).map(({ _tag }) => _tag),
        ["None", "None"],
        `waits: ${path}`
      )
      yield* act
    }
    const [own = "", theirs = ""] = yield* Effect.forEach(polls, Fiber.join)
    assert.strictEqual(comparable(own), comparable(theirs), path)
    return own
  })

/** Whatever was asked of both before has been read once this is answered. */
const heard = Effect.flatMap(Both, ({ direct, general }) =>
  Effect.forEach([direct, general], (port) => raw(port, get("/health/live")))
)

const revisionOf = (answer: string) => Number(/"revision":(\d+)/.exec(answer)?.[1])

layer(both.pipe(Layer.provideMerge(below())), { excludeTestServices: true })("a direct long poll", (it) => {
  it.effect("is answered by the next event of the run", () =>
    Effect.gen(function* () {
      const { log, path } = yield* liveRun()
      assert.strictEqual(revisionOf(yield* answerOfBoth(`${path}?wait=20`, [log.record([started])])), 2)
      assert.strictEqual(revisionOf(yield* answerOfBoth(`${path}?wait=20&since=1`)), 2)
      const next = yield* answerOfBoth(`${path}?wait=20&since=2`, [log.record([draft("cancel.requested")])])
      assert.strictEqual(revisionOf(next), 3)
      yield* log.record([completed])
    })
  )

  it.effect("with until=end is answered by the end of the run", () =>
    Effect.gen(function* () {
      const { log, path } = yield* liveRun()
      const ended = yield* answerOfBoth(`${path}?wait=20&until=end&since=1`, [
        log.record([started]),
        log.record([completed])
      ])
      assert.include(ended, '"status":"completed"')
      assert.include(yield* answerOfBoth(`${path}?wait=20`), '"status":"completed"')
    })
  )

  it.effect("is answered when its time is over", () =>
    Effect.gen(function* () {
      const { log, path } = yield* liveRun()
      for (const query of ["wait=1", "wait=0", "wait=x", "wait=1&until=end", "until=end", "wait=1&since=1"])
        assert.strictEqual(revisionOf(yield* answerOfBoth(`${path}?${query}`)), 1)
      yield* log.record([completed])
    })
  )

  it.effect("is refused like any other", () =>
    Effect.gen(function* () {
      const { log, path } = yield* liveRun()
      for (const query of [
        "wait=9&until=now",
        "wait=9&since=x",
        "wait=9&since=1&since=1",
        "until=",
        "wait=9&x=1"
      ])
        yield* answerOfBoth(`${path}?${query}`, query === "wait=9&x=1" ? [log.record([started])] : [])
      assert.match(yield* answerOfBoth(`${path}?wait=9`, [], "bob-key"), /^HTTP\/1\.1 404 /)
      assert.match(yield* answerOfBoth(`${path}?wait=9`, [], "revoked-key"), /^HTTP\/1\.1 401 /)
      yield* log.record([completed])
    })
  )

  it.effect("goes on when the run leaves this process", () =>
    Effect.gen(function* () {
      const { log, path } = yield* liveRun()
      assert.strictEqual(revisionOf(yield* answerOfBoth(`${path}?wait=5`, [log.close("released")])), 1)
    })
  )

  it.effect("is given up, and counted, when its client leaves", () =>
    Effect.gen(function* () {
      const { log, path } = yield* liveRun()
      const { direct, general } = yield* Both
      for (const port of [direct, general]) {
        const poll = yield* Effect.fork(raw(port, get(`${path}?wait=20`)))
        yield* heard
        yield* Effect.sleep("300 millis")
        const before = countedSoFar()
        yield* Fiber.interruptFork(poll)
        yield* Effect.repeat(Effect.sleep("20 millis"), { until: () => countedSoFar() > before })
        yield* Effect.sleep("100 millis")
        assert.strictEqual(countedSoFar() - before, 1)
      }
      yield* log.record([started])
      yield* log.record([completed])
    })
  )

  it.effect("is for runs of this process, and for no other", () =>
    Effect.gen(function* () {
      const { log, path } = yield* liveRun()
      yield* write(factsOf("elsewhere"), 1, 2)
      const direct = yield* makeDirectAnswers.pipe(Effect.withTracerEnabled(false))
      const server = createServer((request, response) =>
        direct(request, response, () => response.end("by the contract"))
      )
      const port = yield* Effect.async<number>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
      })
      assert.notInclude(yield* raw(port, get(`${path}?wait=1`)), "by the contract")
      assert.include(yield* raw(port, get("/api/v1/testing/runs/rep_elsewhere?wait=1")), "by the contract")
      server.close()
      yield* log.record([completed])
    })
  )

  it.effect("misses no event that comes while its caller is admitted", () =>
    Effect.gen(function* () {
      const { log, path } = yield* liveRun()
      const limits = yield* RateLimits
      const direct = yield* makeDirectAnswers.pipe(
        Effect.withTracerEnabled(false),
        Effect.provideService(RateLimits, {
          ...limits,
          requestAtOnce: () => undefined,
          request: (caller) => Effect.zipRight(Effect.orDie(log.record([started])), limits.request(caller))
        })
      )
      const server = createServer((request, response) =>
        direct(request, response, () => response.end("by the contract"))
      )
      const port = yield* Effect.async<number>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
      })
      // Whoever is not woken waits longer than a test may.
      const answer = yield* raw(port, get(`${path}?wait=60&since=1`))
      assert.strictEqual(revisionOf(answer), 2)
      server.close()
      yield* log.record([completed])
    })
  )

  it.effect("is answered at once when the server drains", () =>
    Effect.gen(function* () {
      const { log, path } = yield* liveRun()
      const { begin } = yield* Draining
      const answer = yield* answerOfBoth(`${path}?wait=20&until=end`, [begin])
      assert.match(answer, /^HTTP\/1\.1 200 /)
      yield* log.record([completed])
    })
  )
})
