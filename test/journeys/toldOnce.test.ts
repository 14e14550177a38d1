/** One fault of a partner is one finding of a journey, and what comes late in a charge is found, too. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { objectIn } from "../../src/findings/json.ts"
import type { Push } from "../../src/party/wire/PartnerQuirks.ts"
import { hidden, recent } from "../../src/sandbox/faults/pushes.ts"
import { type Played, playedQuickly } from "./support/sandboxJourney.ts"

interface Scene extends Omit<Played, "version"> {
  readonly name: string
  readonly breaks: ReadonlyArray<string>
}

const never: (push: Push) => ReadonlyArray<Push> = () => []

/** Edits the pushes of a session by PATCH, each with its number. */
const patched = (edit: (body: object, count: number) => object) => {
  let count = 0
  return (push: Push): ReadonlyArray<Push> => {
    if (push.operation !== "PATCH session") return [push]
    count += 1
    return [{ ...push, body: edit(objectIn(push.body), count) }]
  }
}

const scenes: ReadonlyArray<Scene> = [
  {
    name: "neither asks for a card that is blocked, nor refuses it",
    templateId: "rfid-blocked",
    deviation: { quirks: ["asks for no token that it knows", "starts denied tokens"] },
    inputs: { waitSeconds: 60 },
    breaks: ["authorize.asked"]
  },
  {
    name: "does not push the end of the session",
    templateId: "session-updates-patch",
    deviation: {
      push: (push) => (objectIn(push.body)["status"] === "COMPLETED" ? [] : [push])
    },
    breaks: ["session-completed.received"]
  },
  {
    name: "lists a session that was stopped as ACTIVE, and so no CDR",
    templateId: "sync-after-absence",
    deviation: {
      push: never,
      reply: (request, reply) =>
        recent("sessions", (session) => ({ ...session, status: "ACTIVE" }))(
          request,
          hidden("cdrs")(request, reply)
        )
    },
    breaks: ["read-over.status"]
  },
  {
    name: "never posts the result of a command",
    templateId: "reserve-and-use",
    inputs: { reservedSeconds: 7200 },
    deviation: { push: (push) => (push.operation === "command-result" ? [] : [push]) },
    breaks: ["reserve-result.received"]
  },
  {
    name: "pushes no status of an EVSE",
    templateId: "reserve-and-cancel",
    inputs: { reservedSeconds: 7200 },
    deviation: { push: (push) => (push.module === "locations" ? [] : [push]) },
    breaks: ["reserved.evse"]
  },
  {
    name: "changes the start of a session that is ACTIVE",
    templateId: "remote-start",
    deviation: {
      push: patched((body) => ("kwh" in body ? { ...body, start_date_time: "2026-06-01T11:00:00Z" } : body))
    },
    breaks: ["session-completed.start"]
  },
  {
    name: "takes energy back after the first update",
    templateId: "remote-start",
    deviation: { push: patched((body, count) => (count === 1 ? { ...body, kwh: 900 } : body)) },
    breaks: ["session-completed.energy-never-shrinks"]
  },
  {
    name: "goes back in time after the first update",
    templateId: "remote-start",
    deviation: {
      push: patched((body, count) => (count === 1 ? body : { ...body, last_updated: "2026-06-01T12:00:01Z" }))
    },
    breaks: ["session-completed.last-updated"]
  }
]

describe("a partner with one fault", () => {
  it.effect.each(scenes)("that $name is told so once", ({ breaks, name: _, ...scene }) =>
    Effect.gen(function* () {
      const { assertions } = yield* playedQuickly({ ...scene, version: "2.2.1" })
      const broken = assertions.filter(({ outcome }) => outcome === "failed" || outcome === "warned")
      assert.deepStrictEqual(
        broken.map(({ id }) => id),
        [...breaks],
        JSON.stringify(broken.map(({ id, message }) => [id, message]))
      )
    })
  )
})
