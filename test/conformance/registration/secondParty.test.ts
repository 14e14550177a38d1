/** A CPO with which two EMSPs of ours are registered: what the commands of one do to what belongs to the other. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type ExchangeEvent, isEnding, isEventOf, isExchangeEvent } from "../../../schema/LedgerEvent.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import { areTwo } from "../../../src/conformance/modules/commands/secondParty.ts"
import { faultLibrary } from "../../../src/sandbox/faults/faultLibrary.ts"
import { partyWith } from "../../support/parties/parties.ts"
import { gradedQuickly, type Scene } from "../../support/parties/quickWorld.ts"
import { versionsInTurn } from "../../support/versionsInTurn.ts"

const mine = allChecks.filter(({ id }) => ["CMD-027", "CMD-036"].includes(id))
const idsIn = (version: OcpiVersion) =>
  mine.flatMap(({ id, versions }) => (versions.includes(version) ? [id] : []))

const inEachVersion = faultLibrary.flatMap(({ caughtBy, id, versions }) =>
  mine
    .filter((check) => caughtBy.includes(check.id))
    .flatMap((check) => versions.map((version) => ({ check: check.id, fault: id, version })))
)
const proofs = versionsInTurn(inEachVersion, ({ check, fault }) => `${check} ${fault}`)

const graded = (version: OcpiVersion, more: Pick<Scene, "faults" | "second" | "trouble">) =>
  gradedQuickly({ version, role: "CPO", checks: idsIn(version), second: true, ...more })

describe("two EMSPs of ours at one CPO", () => {
  it.live.each(versionNumbers.map((version) => ({ version })))(
    "the honest one in $version keeps them apart, and nothing is left behind",
    ({ version }) =>
      Effect.map(graded(version, {}), ({ assertions, events }) => {
        assert.deepStrictEqual(
          assertions.map(({ id, message, outcome, reason }) => `${id} ${outcome} ${message ?? reason ?? ""}`),
          idsIn(version).map((id) => `${id} passed `)
        )
        assert.notProperty(events.findLast(isEnding)?.data ?? {}, "leftBehind")
      })
  )

  it.live.each(proofs)("$check, and it alone, catches $fault in $version", ({ check, fault, version }) =>
    Effect.map(graded(version, { faults: [fault] }), ({ assertions }) => {
      const expected = check === "CMD-027" ? "warned" : "failed"
      assert.deepStrictEqual(
        assertions.map(({ id, outcome }) => `${id} ${outcome}`),
        idsIn(version).map((id) => `${id} ${id === check ? expected : "passed"}`),
        JSON.stringify(assertions)
      )
    })
  )

  it.live("a run tells in its ledger which exchanges are of the second connection", () =>
    Effect.map(graded("2.2.1", {}), ({ events }) => {
      const of = (type: ExchangeEvent["type"], direction: ExchangeEvent["exchange"]["direction"]) =>
        events
          .filter(isEventOf(type))
          .filter(({ data, exchange }) => exchange.direction === direction && data?.connectionId === "conn_2")
      const named = (command: string) => `${command}, by the second EMSP`
      const sent = of("exchange.completed", "outbound").map(({ exchange }) => exchange.operation)
      assert.includeMembers(sent, ["STOP_SESSION", "RESERVE_NOW", "CANCEL_RESERVATION"].map(named))
      assert.notInclude(sent, named("START_SESSION"))
      assert.lengthOf(of("exchange.intended", "outbound"), sent.length)
      assert.isNotEmpty(of("inbound.received", "inbound"))
    })
  )

  it.live.each(["is down", "hangs"] as const)(
    "a second connection that is of another installation, so that it %s, is asked by each script, and nothing is begun",
    (what) =>
      Effect.map(
        graded("2.2.1", {
          trouble: () => (call) => (call.operation.endsWith(", by the second EMSP") ? what : undefined)
        }),
        ({ assertions, events }) => {
          for (const { outcome, reason = "" } of assertions) {
            assert.strictEqual(outcome, "not_tested")
            assert.match(reason, /the second EMSP/)
          }
          const sent = events.flatMap((event) =>
            event.type === "exchange.completed" ? [event.exchange.operation] : []
          )
          // HTTP 503 asks for a second try, which each of the two scripts makes once.
          assert.lengthOf(
            sent.filter((operation) => operation.endsWith(", by the second EMSP")),
            what === "hangs" ? 2 : 4
          )
          assert.notIncludeMembers(sent, ["START_SESSION", "RESERVE_NOW"])
        }
      )
  )

  it.live(
    "a second connection of which two commands have hung is sent no more of them but one to clean up",
    () =>
      Effect.map(
        graded("2.2.1", {
          trouble: () => (call) =>
            call.method === "POST" && call.operation.endsWith(", by the second EMSP") ? "hangs" : undefined
        }),
        ({ events }) => {
          const hung = events.flatMap((event) =>
            event.type === "exchange.completed" && event.exchange.outcome === "timed_out"
              ? [event.exchange.operation]
              : []
          )
          const bySecond = (command: string) => `${command}, by the second EMSP`
          assert.sameMembers(hung, ["STOP_SESSION", "RESERVE_NOW", "CANCEL_RESERVATION"].map(bySecond))
          const { leftBehind = [] } = events.findLast(isEventOf("run.completed"))?.data ?? {}
          assert.lengthOf(leftBehind, 1)
          assert.match(
            leftBehind[0] ?? "",
            /CANCEL_RESERVATION of reservation_id TST-\S+, by the second EMSP$/
          )
        }
      )
  )

  it.live("without a second connection nothing is sent, and the reader learns what to do", () =>
    Effect.map(graded("2.2.1", { second: false }), ({ assertions, events }) => {
      for (const { outcome, reason } of assertions) {
        assert.strictEqual(outcome, "unobservable")
        assert.include(reason ?? "", "POST /connections")
      }
      assert.notInclude(
        events.filter(isExchangeEvent).map(({ exchange }) => exchange.module),
        "commands"
      )
    })
  )
})

describe("two registrations of ours", () => {
  const at = (versionsUrl: string, partyId = "MSP") => {
    const party = partyWith({ id: "conn_1", role: "EMSP" })
    const { counterpart, identity } = party
    return { ...party, identity: { ...identity, partyId }, counterpart: { ...counterpart, versionsUrl } }
  }
  const ours = "https://us.example/"

  it("are two EMSPs when they show different parties", () => {
    assert.isTrue(areTwo(at("https://p.example/versions"), at("https://p.example/versions", "MS2"), [ours]))
  })
  it("may be taken for one by a partner that knows its EMSPs by party id", () => {
    assert.isFalse(areTwo(at("https://p.example/versions"), at("https://p.example/versions"), [ours]))
    assert.isFalse(areTwo(at("https://p.example/versions"), undefined, [ours]))
  })
  it("are two for our sandbox, whatever they show", () => {
    const sandbox = `${ours}sandbox/sbx_1/ocpi/versions`
    assert.isTrue(areTwo(at(sandbox), at(sandbox), [ours]))
  })
})
