/** Cards of ours that are to be shown at a CPO while the run listens, when they are not. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exchangeIn, isEventOf, type LedgerEvent } from "../../../../schema/LedgerEvent.ts"
import { ChargingSimulation } from "../../../../src/party/simulation/ChargingSimulation.ts"
import { PartyStore } from "../../../../src/store/parties/PartyStore.ts"
import { gradedQuickly, type Happening } from "../../../support/parties/quickWorld.ts"

const checks = ["TOK-120", "TOK-121", "TOK-123", "TOK-125", "TOK-126", "TOK-124"]

describe("cards that are shown at a CPO", () => {
  it.live("are named when nobody shows them", () =>
    Effect.map(
      gradedQuickly({ version: "2.2.1", role: "CPO", checks, listenSeconds: 30 }),
      ({ assertions }) => {
        for (const { outcome, reason } of assertions) {
          assert.strictEqual(outcome, "unobservable")
          assert.match(reason ?? "", /show/)
        }
      }
    )
  )

  it.live("are not sent to a partner when the run does not listen", () =>
    Effect.map(gradedQuickly({ version: "2.2.1", role: "CPO", checks }), ({ assertions, events }) => {
      assert.isTrue(assertions.every(({ outcome }) => outcome === "unobservable"))
      assert.isFalse(events.some((event) => exchangeIn(event)?.operation === "PUT token"))
    })
  )

  it.live("are waited for while the run listens: nobody waits for one and then for the other", () =>
    Effect.map(
      gradedQuickly({ version: "2.2.1", role: "CPO", checks: [...checks, pushed], listenSeconds: 60 }),
      ({ assertions, events }) => {
        assert.isAtMost(secondsOf(events), 62)
        assert.isAtLeast(secondsOf(events), 60)
        assert.match(
          events.find(isEventOf("wait.started"))?.data.instruction ?? "",
          /listens meanwhile to all/
        )
        assert.strictEqual(assertions.find(({ id }) => id === pushed)?.outcome, "unobservable")
      }
    )
  )

  it.live("are waited for until the run has listened since the last of them was shown", () =>
    Effect.map(
      gradedQuickly({
        version: "2.2.1",
        role: "CPO",
        checks: [...checks, pushed],
        listenSeconds: 60,
        meanwhile: oneCard
      }),
      ({ assertions, events }) => {
        // The card is shown after some 20 s.
        assert.isAtLeast(secondsOf(events), 75)
        assert.isAtMost(secondsOf(events), 90)
        assert.strictEqual(assertions.find(({ id }) => id === "TOK-120")?.outcome, "passed")
        assert.strictEqual(assertions.find(({ id }) => id === "TOK-123")?.outcome, "unobservable")
      }
    )
  )
})

/** A check of what the partner pushes by itself. */
const pushed = "TAR-030"

/** From the first line of the run to its last. */
const secondsOf = (events: ReadonlyArray<LedgerEvent>): number =>
  (Date.parse(events.at(-1)?.occurredAt ?? "") - Date.parse(events[0]?.occurredAt ?? "")) / 1000

/** The first of the run's cards is shown, some time after the partner was told of it. */
const oneCard: Happening = ({ partner }) =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    const told = Effect.map(
      store.objects(partner.id, "tokens", "received", { offset: 0, limit: 100 }),
      ({ items }) => items.map(({ json }) => String(json["uid"])).find((uid) => uid.includes("-CARD-NEVER"))
    )
    yield* Effect.repeat(Effect.sleep("1 second"), {
      until: () => Effect.map(told, (uid) => uid !== undefined)
    })
    yield* Effect.sleep("20 seconds")
    const { items } = yield* store.objects(partner.id, "locations", "own", { offset: 0, limit: 1 })
    const [place] = items
    const evses = place?.json["evses"] as ReadonlyArray<{ readonly uid: string }> | undefined
    yield* (yield* ChargingSimulation).swipe(partner, {
      tokenUid: (yield* told) ?? "",
      locationId: String(place?.json["id"]),
      evseUid: evses?.[0]?.uid ?? ""
    })
  })
