/** The well-behaved partner in every version and role, in the strict profile: nothing failed, nothing warned, no error of ours. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Assertion } from "../../../schema/Assertion.ts"
import { isEnding } from "../../../schema/LedgerEvent.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import { phaseOf } from "../../../src/conformance/model/stages.ts"
import { bothRoles } from "../../../src/sandbox/faults/Fault.ts"
import { gradedQuickly } from "../../support/parties/quickWorld.ts"
import { oneOf } from "../../support/sampled.ts"
import { apart, fullSuite, sceneFor, theirs, wholeScenes } from "../support/scenes.ts"

const honest = versionNumbers.flatMap((version) => bothRoles.map((role) => ({ role, version })))

/** Those that came to something else than they should. */
const odd = (assertions: ReadonlyArray<Assertion>, fine: ReadonlyArray<Assertion["outcome"]>) =>
  assertions
    .filter(({ outcome }) => !fine.includes(outcome))
    .map(({ id, message, outcome, reason }) => `${id} ${outcome}: ${message ?? reason}`)

const fine: ReadonlyArray<Assertion["outcome"]> = ["passed", "unobservable", "not_applicable"]

/** There are none. The runner's own comparison does not show through an Effect, so the message has them. */
const none = (found: ReadonlyArray<string>, advice = "") =>
  assert.deepStrictEqual(found, [], `${found.join("; ")}${advice}`)
const howToSee =
  ". None of these was seen to hold: give the sandbox partner what they are about (src/sandbox/seed/), or say in neverSeen why it has none"

/** `npm test` plays one pair of version and role. */
const inWhole = honest.filter(oneOf(honest.length))

describe("the honest partner", () => {
  it.live.each(inWhole)(
    "has kept every rule of the full suite as $role in $version, and was seen in all that it does",
    ({ role, version }) =>
      Effect.gen(function* () {
        const suite = fullSuite(version, role)
        const wanted = (id: string) => suite.find((check) => check.id === id)
        const [calm, ...others] = yield* Effect.forEach(wholeScenes(version, role), gradedQuickly)
        const runs = [calm!, ...others]
        for (const { assertions, events } of runs) {
          assert.strictEqual(assertions.length, suite.length)
          none(odd(assertions, [...fine, "not_tested"]))
          assert.notProperty(events.findLast(isEnding)?.data ?? {}, "leftBehind")
        }
        // What risks the registration is only graded when it is named.
        const graded = calm!.assertions.filter(({ id }) => phaseOf(wanted(id)!) !== "risk")
        none(odd(graded, fine))
        const unseen = graded.filter(
          ({ id }) =>
            !(id in neverSeen) &&
            !(role === "EMSP" && id in neverSeenOfEmsp) &&
            !theirs.includes(id) &&
            !apart.includes(id) &&
            !runs.some(({ assertions }) =>
              assertions.some((one) => one.id === id && one.outcome === "passed")
            )
        )
        none(odd(unseen, []), howToSee)
      }),
    300_000
  )

  const registrations = honest.flatMap((one) =>
    (["registering", "invited", "renewing", "ending"] as const).map((scene) => ({ ...one, scene }))
  )
  it.live.each(registrations)(
    "has kept every rule of its registration as $role in $version: $scene",
    ({ role, scene, version }) =>
      Effect.map(gradedQuickly(sceneFor(scene, version, role)), ({ assertions, left }) => {
        assert.isNotEmpty(assertions)
        none(odd(assertions, ["passed"]))
        assert.strictEqual(left.registration === "registered", scene !== "ending")
        assert.isEmpty(left.playing ?? [])
      }),
    60_000
  )

  const hubs = honest.filter(({ version }) => profileOf(version).hub !== "none")
  it.live.each(hubs)(
    "has kept every rule behind a hub as $role in $version",
    ({ role, version }) =>
      Effect.map(gradedQuickly(sceneFor("behind a hub", version, role)), ({ assertions, events }) => {
        // A sandbox partner sends to the hub where that has a role of its own, and an EMSP hardly sends anything.
        const silent = assertions.filter(({ id }) => id === "HUB-004")
        none(odd(silent, ["passed", "unobservable"]))
        const others = assertions.filter(({ id }) => id !== "HUB-004")
        assert.lengthOf(others, 5)
        none(odd(others, ["passed"]))
        assert.notProperty(events.findLast(isEnding)?.data ?? {}, "leftBehind")
      }),
    60_000
  )
})

/** What an honest sandbox partner never does or has, and so cannot be seen doing well. */
const neverSeen: Readonly<Record<string, string>> = {
  "TRANS-053": "an EMSP changes nothing in part",
  "LOC-020": "no connector has several tariffs",
  "LOC-023": "no location is private",
  "LOC-033": "no location has pictures",
  "LOC-038": "no EVSE has a schedule",
  "LOC-046": "no EVSE goes",
  "SESS-016": "no session is ACTIVE before the run",
  "SESS-028": "a session begins as ACTIVE",
  "CDR-019": "no CDR is a credit",
  "CDR-030": "no price has limits",
  "CDR-031": "no CDR is signed",
  "CDR-033": "no tariff switches within a session",
  "TAR-011": "no tariff has bounds",
  "TAR-019": "no tariff has a page that can be fetched",
  "TAR-031": "no tariff is deleted",
  "TAR-034": "no tariff changes by itself",
  "TOK-124": "we deny no card",
  "CMD-017": "no connector is required",
  "CMD-019": "all EVSEs can do everything",
  "CMD-037": "no reservation is cancelled by the CPO",
  "CMD-105": "no connector is required",
  "HUB-001": "it is no hub",
  "HUB-002": "it is no hub",
  "HUB-106": "it is no hub",
  "HUB-107": "it is no hub"
}

/** What it does as a CPO only; laterReads.test.ts judges tokens. */
const neverSeenOfEmsp: Readonly<Record<string, string>> = {
  "PAGE-030": "its tokens do not change by themselves",
  "TOK-030": "its tokens do not change by themselves"
}
