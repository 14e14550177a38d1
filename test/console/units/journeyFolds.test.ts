/** The pure parts of a journey's page: its ledger as it is filtered and worded, its earlier states, its times and drawing. */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import type { LedgerEvent } from "../../../src/client/plugfest.ts"
import { utcTimeWithMillis, waitTimes } from "../../../src/console/format/time.ts"
import { nameOfId } from "../../../src/console/format/words.ts"
import { lineOf } from "../../../src/console/ledger/eventText.ts"
import { foldRun, nothing, waitAt } from "../../../src/console/ledger/foldRun.ts"
import { filterEvents } from "../../../src/console/ledger/ledgerFilter.ts"
import { newSnapshots, runAt } from "../../../src/console/ledger/runSnapshots.ts"
import { waterfallOf } from "../../../src/console/ledger/waterfallOf.ts"
import { axisOf, scaleOf } from "../../../src/console/ledger/waterfallScale.ts"
import { navigationPlaceOf } from "../../../src/console/shell/places.ts"

const occurredAt = "2026-01-01T00:00:00.000Z"
const deadline = "2026-01-01T00:01:00.000Z"
const line = { occurredAt, assertions: [], stageId: "start-result" }
const kinds = [
  { ...line, type: "stage.started", machine: "running", data: { attempt: 1 } },
  {
    ...line,
    type: "wait.started",
    machine: { waiting: "partner" },
    data: {
      party: "partner",
      instruction: "Send it.",
      deadline,
      expects: { method: "POST", url: "/x", curl: "c" }
    }
  },
  { ...line, type: "wait.satisfied", machine: "running" }
]
const eventsOf = (many: number) =>
  Array.from({ length: many }, (_, index) => ({
    ...kinds[index % kinds.length],
    sequence: index + 1
  })) as unknown as ReadonlyArray<LedgerEvent>

describe("the states of a run that are kept", () => {
  it("give the run after any event, as folding from the first one does", () => {
    const events = eventsOf(1_700)
    const snapshots = newSnapshots(nothing)
    for (const upTo of [1_700, 3, 499, 500, 501, 1_234, 1_000, 0, 9_999])
      assert.deepStrictEqual(runAt(snapshots, events, upTo), foldRun(events, upTo), `${upTo}`)
    assert.deepStrictEqual(
      snapshots.kept.map(({ sequence }) => sequence),
      [500, 1_000, 1_500]
    )
  })
  it("go on when the page keeps only the newest events", () => {
    const events = eventsOf(1_700)
    const snapshots = newSnapshots(foldRun(events, 600))
    assert.deepStrictEqual(runAt(snapshots, events.slice(600), 1_100), foldRun(events, 1_100))
  })
  it("end before a gap, as in a file of which lines are missing", () => {
    const events = eventsOf(10)
    const later = { ...events[0]!, sequence: 1_200 }
    assert.deepStrictEqual(runAt(newSnapshots(nothing), [...events, later], 1_200), foldRun(events))
  })
})

describe("the ledger of a run", () => {
  const events = eventsOf(6)
  it("is filtered by type, and by the edge that an event took", () => {
    const numbers = (filter: Parameters<typeof filterEvents>[1]) =>
      filterEvents(events, filter, (move) => move.split(" ")[0]).map(({ sequence }) => sequence)
    assert.deepStrictEqual(numbers({ type: "wait.satisfied" }), [3, 6])
    assert.deepStrictEqual(numbers({ edge: "running>waiting.partner" }), [2, 5])
    assert.deepStrictEqual(numbers({ edge: "running>waiting.partner", type: "wait.satisfied" }), [])
  })
  it("tells each event as a sentence", () => {
    assert.deepStrictEqual(events.slice(0, 3).map(lineOf), [
      "Stage “Start result” begins",
      "Send it.",
      "What was awaited has come"
    ])
  })
  it("keeps the last wait, and says what would have satisfied it", () => {
    const over = foldRun(events, 3)
    assert.isUndefined(waitAt(over))
    assert.deepInclude(over.lastWait, { instruction: "Send it.", request: "POST /x", curl: "c" })
    assert.deepInclude(over.context, { attempt: 1, requests: 0 })
  })
})

describe("the axis of the waterfall", () => {
  it("has marks at equal distances, each with the time that is drawn there", () => {
    const fall = waterfallOf(
      eventsOf(3).map((event, index) => ({ ...event, occurredAt: deadline.replace("01:00", `01:0${index}`) }))
    )
    for (const isCut of [false, true]) {
      const scale = scaleOf(fall, isCut)
      const marks = axisOf(fall, scale)
      assert.deepStrictEqual([marks[0]?.millis, marks.at(-1)?.at], [fall.from, 1])
      for (const { at, millis } of marks) assert.closeTo(scale(millis), at, 0.01)
    }
  })
})

describe("words of a run", () => {
  it("say since when, until when, and how much is left", () => {
    const now = Date.parse("2026-01-01T00:00:18.400Z")
    assert.strictEqual(waitTimes(occurredAt, deadline, now), "Since 00:00:00, until 00:01:00 UTC, 41 s left")
    const earlier = Date.parse(occurredAt) - 900
    assert.match(waitTimes(occurredAt, deadline, earlier), /, 1 min 0 s left$/)
    assert.match(waitTimes(undefined, deadline, now + 60_000), /^Until 00:01:00 UTC, over since 18 s$/)
    assert.strictEqual(utcTimeWithMillis("2026-01-01T00:00:18.400Z"), "2026-01-01 00:00:18.400 UTC")
  })
  it("take the place of ids of ours, and of nothing else", () => {
    assert.strictEqual(nameOfId("session-updates"), "Session updates")
    assert.strictEqual(nameOfId("credit-cdr"), "Credit CDR")
    assert.strictEqual(nameOfId("<b>x</b>"), "<b>x</b>")
  })
  it("count a live journey as a run in the navigation", () => {
    assert.deepStrictEqual(["/journeys/run_1", "/runs/rep_1", "/", "/machines"].map(navigationPlaceOf), [
      "/runs",
      "/runs",
      undefined,
      "/machines"
    ])
  })
})

describe("the lines of a drawing", () => {
  const tokens = readFileSync(new URL("../../../src/console/styles/tokens.css", import.meta.url), "utf8")
  const colours = (name: string) =>
    new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens)!.slice(1, 3)
  const luminance = (colour: string) => {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    }) as [number, number, number]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  it("differ from each ground by 3 to 1 or more, light and dark", () => {
    for (const ground of ["surface", "ground"])
      for (const theme of [0, 1]) {
        const [dark, light] = [luminance(colours("edge")[theme]!), luminance(colours(ground)[theme]!)].sort()
        assert.isAtLeast((light! + 0.05) / (dark! + 0.05), 3, `${ground} ${theme}`)
      }
  })
})
