import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { RunId } from "../../schema/Ids.ts"
import type { LedgerEvent } from "../../schema/LedgerEvent.ts"
import { profileOf } from "../../schema/ocpi/versions.ts"
import { endOfMainLine } from "../../src/journeys/actor/runStage.ts"
import { templates } from "../../src/journeys/catalogue/catalogue.ts"
import { composed } from "../../src/journeys/catalogue/pack.ts"
import { packIn, packsOf, versionsOf } from "../../src/journeys/catalogue/packs.ts"
import { packs } from "../../src/journeys/catalogue/playable.ts"
import type { RunHistory } from "../../src/journeys/model/RunHistory.ts"
import { firstReads } from "../../src/journeys/templates/asEmsp/firstReads.ts"
import { playedQuickly } from "./support/sandboxJourney.ts"

const goLive = "go-live-cpo"

describe("packs", () => {
  it("name only templates that exist, all with one role of ours", () => {
    for (const pack of packs) {
      const members = pack.templateIds.map((id) => templates.find((one) => one.id === id))
      assert.notInclude(members, undefined, pack.id)
      assert.strictEqual(new Set(members.map((one) => one?.ourRole)).size, 1, pack.id)
      assert.isAbove(versionsOf(pack, templates).length, 0, pack.id)
    }
    assert.strictEqual(
      new Set([...packs, ...templates].map(({ id }) => id)).size,
      packs.length + templates.length
    )
  })

  it("have a smoke test for every version, which changes nothing at the partner", () => {
    for (const version of ["2.1.1", "2.2", "2.2.1", "2.3.0"] as const) {
      const smoke = packsOf(templates).find(({ id }) => id === `smoke-${version}-cpo`)
      const template = smoke === undefined ? undefined : packIn(smoke, version, templates)
      assert.isDefined(template)
      assert.isFalse(template.stages.some(({ writes }) => writes))
    }
  })

  it("have in a version only what exists there", () => {
    const pack = packs.find(({ id }) => id === goLive)!
    for (const version of versionsOf(pack, templates)) {
      const stages = packIn(pack, version, templates)!.stages
      for (const id of pack.templateIds) {
        const exists = templates.find((one) => one.id === id)!.supportedVersions.includes(version)
        assert.strictEqual(
          stages.some(({ part }) => part === id),
          exists
        )
      }
    }
  })

  it("hold what their theme is about", () => {
    const members = Object.fromEntries(packs.map(({ id, templateIds }) => [id, templateIds]))
    assert.includeMembers([...members["go-live-cpo"]!], ["remote-start", "rfid-allowed", "rfid-blocked"])
    assert.includeMembers(
      [...members["go-live-emsp"]!],
      ["play-session", "partner-starts", "authorize-token"]
    )
    assert.includeMembers([...members["money-cpo"]!], ["cdr-reconciliation", "tariff-change", "credit-cdr"])
    assert.includeMembers([...members["money-emsp"]!], ["play-session", "push-tariff"])
    assert.deepStrictEqual(members["reservations-cpo"], [
      "reserve-and-use",
      "reserve-and-cancel",
      "reserve-and-expire"
    ])
    assert.includeMembers(
      [...members["resilience-cpo"]!],
      ["start-timeout", "rfid-offline", "sync-after-absence"]
    )
    assert.includeMembers([...members["resilience-emsp"]!], ["play-session", "partner-starts"])
  })

  it("say of each part what is undone after it, and what stays", () => {
    for (const pack of packs) {
      const [version] = versionsOf(pack, templates)
      const parts = packIn(pack, version!, templates)!.parts ?? []
      for (const { cleanUp, id, remains } of parts) {
        const template = templates.find((one) => one.id === id)!
        assert.strictEqual(cleanUp === undefined, template.cleanUp === undefined, `${pack.id}: ${id}`)
        assert.strictEqual(remains === undefined, template.remains === undefined, `${pack.id}: ${id}`)
      }
    }
  })

  it.effect("are played as one run, each template under its own ids", () =>
    Effect.gen(function* () {
      const { assertions } = yield* playedQuickly({ templateId: goLive, version: "2.2.1" })
      for (const id of packs.find((pack) => pack.id === goLive)!.templateIds)
        assert.isTrue(
          assertions.some((one) => one.id.startsWith(`${id}.`)),
          id
        )
      const ours = assertions.filter(({ id }) => id.startsWith("remote-start."))
      assert.isAbove(ours.length, 20)
      assert.deepStrictEqual(
        ours.filter(({ outcome }) => outcome !== "passed"),
        []
      )
    })
  )

  it("go on with the next template when one ends early", () => {
    const ended: LedgerEvent = {
      sequence: 1,
      type: "stage.failed",
      occurredAt: "2026-11-21T10:00:00.000Z",
      stageId: "one.start",
      data: { endsMainLine: "No session" },
      assertions: []
    }
    assert.strictEqual(endOfMainLine([ended], "one")?.reason, "No session")
    assert.isUndefined(endOfMainLine([ended], "other"))
    assert.strictEqual(endOfMainLine([ended])?.reason, "No session")
    const ours: LedgerEvent = { ...ended, data: { endsMainLine: "No EVSE", attribution: "ours" } }
    assert.deepInclude(endOfMainLine([ours]), { reason: "No EVSE", attribution: "ours" })
  })

  it("tell each template only what is its own, under its own ids", () => {
    const seen: Array<RunHistory> = []
    const stage = { ...firstReads.stages[0]!, stopsIf: (history: RunHistory) => void seen.push(history) }
    const pack = composed({ id: "pack", name: "", description: "", outcome: "" }, [
      { ...firstReads, id: "one", stages: [stage] },
      { ...firstReads, id: "two", stages: [stage] }
    ])
    const line = (
      sequence: number,
      more: { readonly type?: LedgerEvent["type"]; readonly stageId?: string }
    ) =>
      ({
        sequence,
        type: "stage.started",
        occurredAt: `2026-11-21T10:00:0${sequence}.000Z`,
        assertions: [],
        ...more
      }) as LedgerEvent // nothing else is looked at
    const whole: RunHistory = {
      runId: RunId.make("run_1"),
      createdAt: "2026-11-21T10:00:00.000Z",
      inputs: { waitSeconds: 5, two: { limit: 1 }, one: { limit: 2 } },
      profile: profileOf("2.2.1"),
      us: { countryCode: "NL", partyId: "PLG", name: "plugfest" },
      events: [
        line(1, { type: "run.created" }),
        line(2, { stageId: "one.read-locations" }),
        line(3, { type: "inbound.received", stageId: "one.read-locations" }),
        line(4, { stageId: "two.read-locations" }),
        line(5, { type: "inbound.received", stageId: "two.read-locations" })
      ]
    }
    for (const { stopsIf } of pack.stages) stopsIf?.(whole)
    const [one, two] = seen
    assert.deepStrictEqual(
      two?.events.map(({ sequence }) => sequence),
      [1, 4, 5]
    )
    assert.strictEqual(two?.events[1]?.stageId, "read-locations")
    assert.deepStrictEqual(two?.inputs, { waitSeconds: 5, limit: 1 })
    assert.strictEqual(two?.createdAt, "2026-11-21T10:00:04.000Z")
    assert.notStrictEqual(one?.runId, two?.runId)
    // What comes late is still heard of by the part that it may be for.
    assert.deepStrictEqual(
      one?.events.map(({ sequence }) => sequence),
      [1, 2, 3, 5]
    )
  })
})
