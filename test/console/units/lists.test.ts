/** What lists of processes, open runs and connections say: how late a process is, since when a run waits, which dialect is odd. */
import { assert, describe, it } from "vitest"
import { dialectInWords } from "../../../src/console/format/dialectInWords.ts"
import { lagOf } from "../../../src/console/format/lagOf.ts"
import { suiteSince } from "../../../src/console/runs/suiteSince.ts"

describe("the lag of a process", () => {
  it("is fine below a quarter of a second, and busy from there on", () => {
    const shown = [0, 12, 249, 250, 1200].map((lagMs) => {
      const { state, tone, words } = lagOf({ alive: true, lagMs })!
      return [state, tone, words]
    })
    const late = (words: string) => `its work began up to ${words} late in the last seconds`
    assert.deepStrictEqual(shown, [
      ["Fine", "good", "its work began in time in the last seconds"],
      ["Fine", "good", late("12 ms")],
      ["Fine", "good", late("249 ms")],
      ["Busy", "warn", late("250 ms")],
      ["Busy", "warn", late("1.2 s")]
    ])
  })
  it("is not told of a process that is lost, or that an earlier release runs", () => {
    assert.isUndefined(lagOf({ alive: false, lagMs: 3 }))
    assert.isUndefined(lagOf({ alive: true }))
  })
})

describe("since when a conformance run waits", () => {
  const createdAt = "2026-01-01T00:00:00.000Z"
  const stateSince = "2026-01-01T00:01:00.000Z"
  const since = "2026-01-01T00:02:00.000Z"
  const wait = { party: "partner", instruction: "The CPO pushes", deadline: since, nearMisses: [] } as const
  it("is when the wait began, where it is recorded; else when its state did", () => {
    const of = [
      suiteSince({ createdAt, stateSince, waitingFor: { ...wait, since } }),
      suiteSince({ createdAt, stateSince, waitingFor: wait }),
      suiteSince({ createdAt, stateSince }),
      suiteSince({ createdAt })
    ]
    assert.deepStrictEqual(of, [since, stateSince, stateSince, createdAt])
  })
})

describe("the dialect of a connection", () => {
  it("is told in a list where it deviates or was overridden", () => {
    const told = [
      dialectInWords({ deviations: [] }),
      dialectInWords({ deviations: ["a"], overridden: [] }),
      dialectInWords({ deviations: [], overridden: ["pageLimit"] }),
      dialectInWords({ deviations: ["a", "b"], overridden: ["pageLimit", "trailingSlash"] })
    ]
    assert.deepStrictEqual(told, [
      undefined,
      "1 deviation",
      "dialect overridden",
      "2 deviations, dialect overridden"
    ])
  })
})
