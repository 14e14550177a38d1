import { it } from "@effect/vitest"
import { Effect, Exit, Redacted } from "effect"
import { assert, describe } from "vitest"
import type { EventDraft } from "../../src/ledger/Ledger.ts"
import { type OcpiCall, OcpiClient, type PartnerAnswer } from "../../src/ocpi/OcpiClient.ts"
import { durableExchange } from "../../src/runs/durableExchange.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { partyWith, roomLayer } from "../support/parties/parties.ts"
import { exchange } from "../support/runs/heard.ts"

const party = partyWith({ id: "conn_1", role: "EMSP" })
const issued = "token-that-the-partner-issues-0123456789"

/** What happened, in order; `fails` names the step that does not come to its end. */
const played = (fails?: string) =>
  Effect.gen(function* () {
    const happened: Array<string> = []
    const step = (name: string) =>
      Effect.suspend(() => {
        happened.push(name)
        return name === fails ? Effect.fail("gone" as const) : Effect.void
      })
    const store = yield* PartyStore
    yield* store.insert(party, [])
    const intent = exchange("exc_1", "POST")
    const answer: PartnerAnswer = {
      exchange: { ...intent, outcome: "completed" },
      body: Redacted.make(JSON.stringify({ data: { token: issued } })),
      json: {}
    }
    const client = OcpiClient.of({
      intent: () => intent,
      exchange: () => Effect.orDie(Effect.as(step("sent"), answer))
    })
    const written: Array<EventDraft> = []
    const exit = yield* durableExchange<"gone">({
      party,
      call: { module: "credentials", body: {} } as OcpiCall, // what is read of it here
      key: "stage/1/exchange",
      stageId: "stage",
      intent: { attempt: 1 },
      completion: { attempt: 1 },
      record: (drafts) => {
        written.push(...drafts)
        return step(drafts.map(({ type }) => type).join())
      },
      settle: () => step("settled")
    }).pipe(Effect.provideService(OcpiClient, client), Effect.exit)
    const known = yield* store.secrets(party.id)
    return {
      exit,
      happened,
      written,
      remembered: known.some(({ value }) => Redacted.value(value) === issued)
    }
  }).pipe(Effect.provide(roomLayer("http://127.0.0.1:9")))

const inOrder = ["exchange.intended", "sent", "settled", "exchange.completed"]

describe("a request as a durable step", () => {
  it.effect("is written down, sent, settled and closed, in this order", () =>
    Effect.map(played(), ({ exit, happened, remembered, written }) => {
      assert.isTrue(Exit.isSuccess(exit))
      assert.deepStrictEqual(happened, inOrder)
      assert.deepStrictEqual(
        written.map(({ key }) => key),
        ["stage/1/exchange/intended", "stage/1/exchange/completed"]
      )
      assert.isTrue(remembered)
    })
  )

  it.effect("is not sent when it cannot be written down", () =>
    Effect.map(played("exchange.intended"), ({ exit, happened }) => {
      assert.isTrue(Exit.isFailure(exit))
      assert.deepStrictEqual(happened, inOrder.slice(0, 1))
    })
  )

  it.effect(
    "stays open when what came of it cannot be settled, and the token in its answer is kept all the same",
    () =>
      Effect.map(played("settled"), ({ exit, happened, remembered }) => {
        assert.isTrue(Exit.isFailure(exit))
        assert.deepStrictEqual(happened, inOrder.slice(0, 3))
        assert.isTrue(remembered)
      })
  )
})
