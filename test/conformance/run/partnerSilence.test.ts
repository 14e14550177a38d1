/** When a run gives up a partner that does not answer. */
import { assert, describe, it } from "@effect/vitest"
import type { Exchange } from "../../../schema/Exchange.ts"
import { nextAfterSilence } from "../../../src/conformance/run/afterSilence.ts"
import { makePartnerSilence } from "../../../src/conformance/run/partnerSilence.ts"
import { partyWith } from "../../support/parties/parties.ts"
import { answered } from "../support/handmade.ts"

const origin = "http://127.0.0.1:9"
const party = partyWith({
  id: "conn_1",
  role: "CPO",
  counterpart: { role: "EMSP", versionsUrl: `${origin}/versions`, endpoints: [], parties: null }
})

interface Kind {
  readonly module: string
  readonly method: "GET" | "POST" | "PUT"
}
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
    reason: silence.reason
  }
}

describe("the silence of a partner", () => {
  it("goes on where all of it is of one module, and the partner has answered others", () => {
    const { answers, hangs, reason } = playing()
    answers(list)
    // However many of them were under way at once.
    hangs(putSession, 12)
    assert.isUndefined(reason())
  })

  it("ends the run where requests of several modules stay unanswered", () => {
    const { answers, hangs, reason } = playing()
    answers(list)
    hangs(authorize, 3)
    hangs(putSession, 3)
    assert.deepInclude(reason(), {
      reason:
        "the partner did not answer 6 requests in a row: the rest was not sent; the connection was made: see in the partner's log what keeps its service from answering, then run again",
      attribution: "network"
    })
    answers(list)
    assert.isUndefined(reason())
  })

  it("ends the run where nothing was ever answered", () => {
    const { hangs, reason } = playing()
    hangs(list, 3)
    assert.isUndefined(reason())
    hangs(list, 3)
    assert.deepInclude(reason(), { attribution: "network" })
  })

  it("names our egress guard where it lets nothing through", () => {
    const { answers, hangs, reason } = playing()
    answers(list)
    hangs(putSession, 3, "blocked")
    hangs(list, 3, "blocked")
    assert.deepInclude(reason(), { attribution: "ours" })
  })

  it("tells what to do by how far the last request came", () => {
    const nextOf = (outcome: Exchange["outcome"], kind?: NonNullable<Exchange["fault"]>["kind"]) =>
      nextAfterSilence({ outcome, ...(kind === undefined ? {} : { fault: { kind, message: "" } }) })
    assert.match(nextOf("timed_out", "timeout"), /log/)
    assert.notMatch(nextOf("timed_out", "timeout"), /host|firewall/)
    assert.match(nextOf("refused", "dns"), /resolved/)
    assert.match(nextOf("refused", "tls"), /certificate/)
    assert.match(nextOf("refused", "timeout"), /firewall/)
    assert.match(nextOf("refused", "refused"), /listens/)
    assert.match(nextOf("reset", "reset"), /proxies/)
    const outcomes = ["timed_out", "refused", "reset", "unknown"] as const
    for (const outcome of outcomes) assert.match(nextOf(outcome), /then run again$/)
  })
})
