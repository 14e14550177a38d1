/** One fault of a partner is one finding of a journey, and what comes late in a charge is found, too. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { objectIn } from "../../src/findings/json.ts"
import type { Behaviour, Push } from "../../src/party/wire/PartnerQuirks.ts"
import type { OcpiRequest } from "../../src/party/wire/Request.ts"
import { hidden, recent } from "../../src/sandbox/faults/pushes.ts"
import { aboutModule, headerOf, when, withHeader } from "../../src/sandbox/faults/replies.ts"
import { type Played, playedQuickly } from "./support/sandboxJourney.ts"

interface Scene extends Omit<Played, "version"> {
  readonly name: string
  readonly breaks: ReadonlyArray<string>
  /** A rule that is kept. */
  readonly passes?: string
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
    name: "patches a session without last_updated",
    templateId: "remote-start",
    deviation: {
      push: patched((body) => ({ ...body, last_updated: undefined }))
    },
    breaks: ["session-updates.received", "session-completed.received"]
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

/** Answers that the object is not there, with that status_code. */
const lost = (about: (request: OcpiRequest) => boolean, code: number): Partial<Behaviour> => ({
  reply: when(about, (_, reply) => ({
    ...reply,
    httpStatus: 404,
    body: JSON.stringify({ status_code: code, status_message: "unknown", timestamp: "2026-06-01T12:00:00Z" })
  }))
})
/** A request about what a PUT of a whole location has stored. */
const isStored = (request: OcpiRequest): boolean =>
  aboutModule("locations")(request) && !(request.method === "PUT" && request.path.length === 5)

const emsps: ReadonlyArray<Scene> = [
  {
    name: "forgets a location, and says that it does not know it",
    templateId: "push-location",
    deviation: lost(isStored, 2003),
    breaks: ["read-location.same"]
  },
  {
    name: "forgets a location, and says no more than that nothing is there",
    templateId: "push-location",
    deviation: lost(isStored, 2000),
    breaks: ["read-location.same", "change-status.taken"]
  },
  {
    name: "fails at every request for an authorization",
    templateId: "authorize-token",
    deviation: {
      reply: when(
        (request) => request.path.at(-1) === "authorize",
        (_, reply) => ({ ...reply, httpStatus: 500, body: null })
      )
    },
    breaks: ["authorize.answered"]
  },
  {
    name: "gives the URL of a CDR without its host",
    templateId: "play-session",
    deviation: {
      reply: when(
        (request) => request.method === "POST" && aboutModule("cdrs")(request),
        (_, reply) => withHeader(reply, "Location", new URL(headerOf(reply, "Location") ?? "").pathname)
      )
    },
    breaks: ["send-cdr.address"],
    passes: "read-cdr.same"
  }
]

describe("a partner with one fault", () => {
  it.effect.each([
    ...scenes.map((scene): Scene => ({ ...scene, role: "CPO" })),
    ...emsps.map((scene): Scene => ({ ...scene, role: "EMSP" }))
  ])("that $name is told so once", ({ breaks, name: _, passes, ...scene }) =>
    Effect.gen(function* () {
      const { assertions } = yield* playedQuickly({ ...scene, version: "2.2.1" })
      const broken = assertions.filter(({ outcome }) => outcome === "failed" || outcome === "warned")
      assert.deepStrictEqual(
        broken.map(({ id }) => id),
        [...breaks],
        JSON.stringify(broken.map(({ id, message }) => [id, message]))
      )
      if (passes !== undefined)
        assert.strictEqual(assertions.find(({ id }) => id === passes)?.outcome, "passed")
    })
  )
})
