/** What a run gives up where the partner does not answer: one kind of request, or everything. */
import { assert, describe, it } from "@effect/vitest"
import type { Exchange } from "../../../schema/Exchange.ts"
import { makePartnerSilence } from "../../../src/conformance/run/partnerSilence.ts"
import { partyWith } from "../../support/parties/parties.ts"
import { answered } from "../support/handmade.ts"

const origin = "http://127.0.0.1:9"
const party = partyWith({
  id: "conn_1",
  role: "CPO",
  counterpart: { role: "EMSP", versionsUrl: `${origin}/versions`, endpoints: [], parties: null }
})

type Kind = Parameters<ReturnType<typeof makePartnerSilence>["reason"]>[0]
const authorize: Kind = { module: "tokens", method: "POST" }
const putSession: Kind = { module: "sessions", method: "PUT" }
const list: Kind = { module: "tokens", method: "GET" }

const playing = () => {
  const silence = makePartnerSilence()
  const seen = ({ method, module }: Kind, change: Partial<Exchange>) => {
    const { exchange } = answered(module, [], change)
    silence.count(party, {
      ...exchange,
      request: { ...exchange.request, method, url: `${origin}/${module}` }
    })
  }
  return {
    answers: (kind: Kind, times = 1) => {
      for (let i = 0; i < times; i++) seen(kind, {})
    },
    hangs: (kind: Kind, times: number, outcome: Exchange["outcome"] = "timed_out") => {
      for (let i = 0; i < times; i++) seen(kind, { response: null, outcome })
    },
    reason: (kind: Kind) => silence.reason(kind)
  }
}

describe("the silence of a partner", () => {
  it("gives up the kind of request that it leaves unanswered, and goes on with those that it answers", () => {
    const { answers, hangs, reason } = playing()
    answers(list)
    hangs(authorize, 2)
    assert.isUndefined(reason(authorize))
    hangs(authorize, 1)
    assert.deepInclude(reason(authorize), {
      withheld: "not_tested",
      reason:
        "the partner answered others, but not 3 requests of POST tokens in a row: no more of these were sent",
      attribution: "partner",
      ofKind: true
    })
    // However many of them were under way at once.
    hangs(authorize, 9)
    assert.isUndefined(reason(putSession))
    assert.isUndefined(reason(list))
  })

  it("begins anew with a kind once one of it is answered", () => {
    const { answers, hangs, reason } = playing()
    answers(list)
    hangs(authorize, 2)
    answers(authorize)
    hangs(authorize, 2)
    assert.isUndefined(reason(authorize))
  })

  it("ends the run where requests of several modules stay unanswered", () => {
    const { answers, hangs, reason } = playing()
    answers(list)
    hangs(authorize, 3)
    hangs(putSession, 3)
    for (const kind of [authorize, putSession, list])
      assert.deepInclude(reason(kind), {
        reason: "the partner did not answer 6 requests in a row: the rest was not sent",
        attribution: "network"
      })
    answers(list)
    assert.isUndefined(reason(list))
  })

  it("ends the run where nothing was ever answered", () => {
    const { hangs, reason } = playing()
    hangs(list, 3)
    assert.isUndefined(reason(list))
    hangs(list, 3)
    assert.deepInclude(reason(putSession), { attribution: "network" })
  })

  it("names our egress guard where it lets one kind of request not through", () => {
    const { answers, hangs, reason } = playing()
    answers(list)
    hangs(putSession, 6, "blocked")
    answers(list)
    assert.deepInclude(reason(putSession), {
      reason:
        "our egress guard let others through to the partner, but not 3 requests of PUT sessions in a row: no more of these were sent",
      attribution: "ours"
    })
    assert.isUndefined(reason(list))
  })
})
