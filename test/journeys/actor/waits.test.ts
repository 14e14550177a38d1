/** How long a journey waits where what it awaits cannot come any more, or is to be read. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { objectIn } from "../../../src/findings/json.ts"
import type { Push } from "../../../src/party/wire/PartnerQuirks.ts"
import { isResult } from "../../../src/sandbox/faults/pushes.ts"
import { playedQuickly } from "../support/sandboxJourney.ts"

/** Seconds from the beginning of the stage to its end. */
const secondsOf = (events: ReadonlyArray<LedgerEvent>, stageId: string): number => {
  const times = events
    .filter((event) => event.stageId === stageId && event.type.startsWith("stage."))
    .map(({ occurredAt }) => Date.parse(occurredAt))
  return (Math.max(...times) - Math.min(...times)) / 1000
}

describe("the wait for a session that must not start", () => {
  it.effect("is short where the charge point has carried out the start", () =>
    Effect.gen(function* () {
      const { assertions, events } = yield* playedQuickly({
        templateId: "start-timeout",
        version: "2.2.1",
        deviation: {
          push: (push) =>
            isResult(push) ? [{ ...push, body: { ...objectIn(push.body), result: "ACCEPTED" } }] : [push]
        }
      })
      assert.isAtMost(secondsOf(events, "nothing-starts"), 11)
      assert.deepInclude(
        assertions.find(({ id }) => id === "nothing-starts.no-session"),
        { outcome: "not_tested" }
      )
    })
  )
})

describe("the wait for a session", () => {
  it.effect("ends by the partner's list where the partner pushes nothing", () =>
    Effect.gen(function* () {
      const { events, verdict } = yield* playedQuickly({
        templateId: "remote-start",
        version: "2.2.1",
        deviation: { push: (push) => (isResult(push) ? [push] : []) }
      })
      assert.notStrictEqual(verdict, "fail")
      assert.isAtMost(secondsOf(events, "session-active"), 45)
    })
  )

  it.effect("ends soon where the partner pushes it to a URL that we never offered", () =>
    Effect.gen(function* () {
      const { assertions, events } = yield* playedQuickly({
        templateId: "remote-start",
        version: "2.2.1",
        deviation: {
          call: (call) => ({ ...call, url: call.url.replace("/2.2.1/sessions/", "/2.2.1/emsp/sessions/") })
        }
      })
      assert.isAtMost(secondsOf(events, "session-active"), 30)
      const received = assertions.find(({ id }) => id === "session-active.received")
      assert.strictEqual(received?.outcome, "failed")
      assert.match(
        received?.message ?? "",
        /PUT came to \/ocpi\/2\.2\.1\/emsp\/sessions\/.*, where we offered nothing/
      )
    })
  )
})

const withoutStamp = (push: Push): ReadonlyArray<Push> =>
  push.operation === "PATCH session"
    ? [{ ...push, body: { ...objectIn(push.body), last_updated: undefined } }]
    : [push]

describe("an update without last_updated", () => {
  it.effect("ends the wait for it soon, and is told once and by what fails", () =>
    Effect.gen(function* () {
      const { assertions, events } = yield* playedQuickly({
        templateId: "session-updates-patch",
        version: "2.3.0",
        deviation: { push: withoutStamp }
      })
      assert.isAtMost(secondsOf(events, "session-completed"), 30)
      assert.isAtMost(secondsOf(events, "update-by-patch"), 30)
      assert.isAtMost(secondsOf(events, "session-updates"), 30)
      const flawed = assertions.filter(({ outcome }) => outcome === "failed" || outcome === "warned")
      assert.deepStrictEqual(
        flawed.map(({ id, outcome }) => [id, outcome]),
        [
          ["update-by-patch.received", "warned"],
          ["session-completed.received", "failed"]
        ]
      )
    })
  )

  it.effect("is no fault in 2.1.1, which asks for none", () =>
    Effect.gen(function* () {
      const { verdict } = yield* playedQuickly({
        templateId: "session-updates-patch",
        version: "2.1.1",
        deviation: { push: withoutStamp }
      })
      assert.strictEqual(verdict, "pass")
    })
  )
})

describe("a registration that the partner ends in the middle of a run", () => {
  it.effect.each<[string, Role, number]>([
    ["remote-start", "CPO", 3],
    ["unlock", "CPO", 1],
    ["play-session", "EMSP", 2],
    ["token-push", "EMSP", 1]
  ])("ends %s of %s at once, by its own act", ([templateId, role, unregistersAfter]) =>
    Effect.gen(function* () {
      const isSlow = templateId === "unlock" || templateId === "token-push"
      const { assertions, events, verdict } = yield* playedQuickly({
        templateId,
        role,
        version: "2.2.1",
        unregistersAfter,
        ...(isSlow ? { deviation: { push: () => [] } } : {})
      })
      const last = events.at(-1)
      assert.isAtMost(Date.parse(last?.occurredAt ?? "") - Date.parse(events[0]?.occurredAt ?? ""), 20_000)
      assert.strictEqual(verdict, "inconclusive")
      const unjudged = assertions.filter(({ outcome }) => outcome !== "passed")
      assert.isNotEmpty(unjudged)
      for (const { attribution, outcome, reason } of unjudged) {
        assert.deepStrictEqual([outcome, attribution], ["not_tested", "partner"])
        assert.match(
          reason ?? "",
          /^The partner has ended the registration while the run went on: it sent DELETE/
        )
      }
    })
  )
})

describe("the waits for a reservation", () => {
  it.effect.each([
    ["reserve-and-cancel", 60],
    ["reserve-and-expire", 110]
  ] as const)("end soon where we refuse the session of it, in %s", ([templateId, seconds]) =>
    Effect.gen(function* () {
      const { assertions, events } = yield* playedQuickly({
        templateId,
        version: "2.2.1",
        deviation: {
          push: (push) =>
            push.module === "sessions"
              ? [{ ...push, body: { ...objectIn(push.body), status: "reservation" } }]
              : [push]
        }
      })
      assert.isAtMost(secondsOf(events, "reserved") + secondsOf(events, "released"), seconds)
      const session = assertions.find(({ id }) => id === "reserved.session")
      assert.strictEqual(session?.outcome, "failed")
    })
  )
})
