/** What a journey says of a message that did not come: what to change, and a request to repeat. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { playedQuickly } from "../support/sandboxJourney.ts"

const remoteStart = (fault: string) =>
  playedQuickly({
    templateId: "remote-start",
    version: "2.2.1",
    inputs: { waitSeconds: 10 },
    faults: [fault]
  })

describe("a message that did not come", () => {
  it.effect("is asked for in the words of the wait, with a request that would have satisfied it", () =>
    Effect.gen(function* () {
      const { assertions } = yield* remoteStart("commands.no-result")
      const missing = assertions.find(({ id }) => id === "start-result.received")
      assert.strictEqual(missing?.outcome, "failed")
      assert.match(
        missing?.hint ?? "",
        /^The partner must POST one CommandResult, a bare object with result,/
      )
      assert.match(missing?.curl ?? "", /-X POST .*\/commands\/START_SESSION\//)
    })
  )

  it.effect("because we refused it names the refusal, and not the calls that follow from it", () =>
    Effect.gen(function* () {
      const { assertions } = yield* remoteStart("sessions.unknown-currency")
      const missing = assertions.find(({ id }) => id === "session-active.received")
      assert.strictEqual(missing?.outcome, "failed")
      assert.match(
        missing?.message ?? "",
        /Almost: PUT came to \S+, and we refused it: Not a valid Session: (\/)?currency/
      )
      assert.notMatch(missing?.message ?? "", /was PUT here/)
      assert.match(
        missing?.hint ?? "",
        /^Mend the PUT that we refused; our answer says why\. The partner must PUT/
      )
      assert.match(missing?.curl ?? "", /-X PUT .*\/sessions\//)
      assert.include(
        assertions.find(({ id }) => id === "session-active.shape")?.reason,
        "The partner pushed no session of ours that we could accept"
      )
    })
  )
})
