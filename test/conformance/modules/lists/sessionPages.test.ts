/** The sessions of a run on a list whose pages are small. */
import { assert, describe, it } from "vitest"
import type { Exchange } from "../../../../schema/Exchange.ts"
import type { Observation } from "../../../../src/conformance/model/Evidence.ts"
import { listedAt, sessionListSteps } from "../../../../src/conformance/modules/commands/commandSessions.ts"
import { evidenceFrom } from "../../support/handmade.ts"

const page = (ids: ReadonlyArray<string>, next?: string): Observation => {
  const json = {
    data: ids.map((id) => ({ id, cdr_token: { uid: `${id}-CARD` } })),
    status_code: 1000,
    timestamp: "2026-06-01T12:00:00Z"
  }
  const exchange: Exchange = {
    id: `exc_${ids.join("_")}`,
    direction: "outbound",
    module: "sessions",
    operation: "list",
    request: {
      method: "GET",
      url: "https://cpo.example/sessions",
      headers: {},
      body: null,
      truncated: false
    },
    response: {
      httpStatus: 200,
      ocpiStatusCode: 1000,
      headers: next === undefined ? {} : { link: `<${next}>; rel="next"` },
      body: JSON.stringify(json),
      truncated: false
    },
    outcome: "completed",
    startedAt: "2026-06-01T12:00:00.000Z",
    durationMs: 1,
    requestId: "r",
    correlationId: "c"
  }
  return { exchange, json, about: "" }
}

describe("the sessions list of a script", () => {
  const evidence = evidenceFrom({
    "p#sessions": [page(["A", "B"], "https://cpo.example/sessions?offset=2")],
    "p#sessions, page 2": [page(["C"])]
  })

  it("is read to its end", () => {
    const steps = sessionListSteps("p", "sessions")
    const second = steps[1]?.act(evidence)
    assert.isTrue(second !== undefined && "send" in second)
    if (second !== undefined && "send" in second)
      assert.strictEqual(second.send.url, "https://cpo.example/sessions?offset=2")
    assert.isUndefined(steps[2]?.act(evidence))
  })

  it("shows a session that is on a later page", () => {
    assert.deepStrictEqual(
      listedAt(evidence, "p#sessions", { uid: "C-CARD" }).map(({ json }) => json["id"]),
      ["C"]
    )
    const moved = evidenceFrom({
      "p#sessions": [page(["A"], "https://cpo.example/sessions?offset=1")],
      "p#sessions, page 2": [page(["A", "B"])]
    })
    assert.deepStrictEqual(
      listedAt(moved, "p#sessions", { uid: "A-CARD" }).map(({ seen }) => seen.exchange.id),
      ["exc_A_B"]
    )
    assert.isEmpty(listedAt(evidence, "p#sessions", { uid: "D-CARD" }))
  })
})
