/** Which requests a run withholds from a partner that lets some hang, and what it says of what stays there. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { endCompleted } from "../../../src/conformance/run/endings.ts"
import { makeHungRequests } from "../../../src/conformance/run/hungRequests.ts"
import type { EventDraft } from "../../../src/ledger/Ledger.ts"
import { answered } from "../support/handmade.ts"

const post = (name: string) => ({
  method: "POST",
  module: "commands",
  url: `http://cpo.example/commands/${name}`,
  isUsual: true
})
const hanging = (name: string) => {
  const { exchange } = answered("commands", [], { response: null, outcome: "timed_out" })
  return { ...exchange, request: { ...exchange.request, method: "POST" as const, url: post(name).url } }
}

describe("requests of a kind that hangs", () => {
  it("are withheld, but for one of each kind that undoes something", () => {
    const hung = makeHungRequests()
    for (const name of ["STOP_SESSION", "RESERVE_NOW"]) hung.count(hanging(name), true)
    assert.isDefined(hung.reason(post("CANCEL_RESERVATION")))
    assert.isUndefined(hung.reason({ ...post("CANCEL_RESERVATION"), isOwed: true }))
    hung.count(hanging("CANCEL_RESERVATION"), true)
    assert.isDefined(hung.reason({ ...post("CANCEL_RESERVATION"), isOwed: true }))
  })
})

describe("what stays at the partner", () => {
  it.each([
    [
      { reservation_id: 17_001 },
      "POST commands CANCEL_RESERVATION of reservation_id 17001, by the second EMSP"
    ],
    [
      { reservation_id: "TST-1" },
      "POST commands CANCEL_RESERVATION of reservation_id TST-1, by the second EMSP"
    ]
  ])("is named by its id", async (body, words) => {
    const undo = {
      module: "commands",
      interfaceRole: "RECEIVER",
      operation: "CANCEL_RESERVATION",
      method: "POST",
      path: ["CANCEL_RESERVATION"],
      body,
      by: "second"
    }
    const exchange = hanging("RESERVE_NOW")
    const events = [
      { type: "exchange.intended", exchange, data: { step: "commands.reserve#reserve", undo } },
      { type: "exchange.completed", exchange }
    ] as unknown as ReadonlyArray<LedgerEvent> // endings read no more of a ledger
    let kept: ReadonlyArray<EventDraft> = []
    await Effect.runPromise(
      endCompleted({
        log: { events: () => events } as Parameters<typeof endCompleted>[0]["log"], // nor of a log
        record: (drafts) =>
          Effect.sync(() => {
            kept = drafts
          }),
        stopped: () => undefined,
        checks: []
      })
    )
    assert.deepInclude(kept[0], { data: { leftBehind: [words] } })
  })
})
