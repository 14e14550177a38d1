/** The sessions of a run on a list whose pages are small. */
import { assert, describe, it } from "vitest"
import type { Exchange } from "../../../../schema/Exchange.ts"
import type { Observation } from "../../../../src/conformance/model/Evidence.ts"
import { listedAt, sessionListSteps } from "../../../../src/conformance/modules/commands/commandSessions.ts"
import { cancellationsChecks } from "../../../../src/conformance/modules/commands/reservations/cancellations.ts"
import { reservationsChecks } from "../../../../src/conformance/modules/commands/reservations/reservations.ts"
import { expiringToken } from "../../../../src/conformance/modules/commands/reservations/reservingProbes.ts"
import { startedSessionsChecks } from "../../../../src/conformance/modules/commands/startedSessions.ts"
import { stoppedSessionsChecks } from "../../../../src/conformance/modules/commands/stoppedSessions.ts"
import { resultStep } from "../../../../src/conformance/modules/shared/commandLegs.ts"
import { answered, called, evidenceFrom } from "../../support/handmade.ts"

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

describe("a session that is on none of the pages that are read", () => {
  /** The steps that read such a list: the last page that is read names a next one, or not. */
  const listed = (step: string, goesOn: boolean) =>
    Object.fromEntries(
      Array.from({ length: 10 }, (_, index): readonly [string, ReadonlyArray<Observation>] => {
        const isLast = index === 9
        const next = isLast && !goesOn ? undefined : `https://cpo.example/sessions?offset=${index + 1}`
        return [index === 0 ? step : `${step}, page ${index + 1}`, [page([`S${index}`], next)]]
      })
    )
  const done = (step: string) => ({
    [step]: [answered("commands", { result: "ACCEPTED", timeout: 30 })],
    [resultStep(step)]: [called("POST", "commands", "/RESULT/1", { result: "ACCEPTED" })]
  })
  const pushed = (token: unknown, status: string) => [
    called("PUT", "sessions", "/DE/ABC/OURS", { id: "OURS", cdr_token: token, status })
  ]
  type Case = readonly [list: string, gathered: Readonly<Record<string, ReadonlyArray<Observation>>>]
  const [start, reserve, expire] = ["commands.start", "commands.reserve", "commands.expire"]
  const token = expiringToken(evidenceFrom({}))
  const cases: Readonly<Record<string, Case>> = {
    "CMD-020": [`${start}#sessions`, done(`${start}#start`)],
    "CMD-026": [`${start}#sessions after`, done(`${start}#stop`)],
    "CMD-030": [`${reserve}#sessions`, done(`${reserve}#reserve`)],
    "CMD-033": [
      `${reserve}#sessions after`,
      {
        ...done(`${reserve}#reserve`),
        ...done(`${reserve}#cancel`),
        [`${reserve}#session`]: pushed({}, "RESERVATION")
      }
    ],
    "CMD-035": [
      `${expire}#sessions`,
      { ...done(`${expire}#reserve`), [`${expire}#session`]: pushed(token, "RESERVATION") }
    ]
  }
  const checks = [
    ...startedSessionsChecks,
    ...stoppedSessionsChecks,
    ...reservationsChecks,
    ...cancellationsChecks
  ]

  it.each(Object.entries(cases))(
    "is missed by %s only where these are all of them",
    (id, [list, gathered]) => {
      const judged = (goesOn: boolean) =>
        checks.find((check) => check.id === id)!.judge(evidenceFrom({ ...gathered, ...listed(list, goesOn) }))
      assert.strictEqual(judged(false).is, "fail")
      assert.deepInclude(judged(true), { is: "inconclusive", outcome: "not_tested", attribution: "ours" })
    }
  )
})
