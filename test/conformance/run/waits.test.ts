/** How long a full suite waits: for a partner that keeps its word, and for one that says nothing. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isEventOf, type LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import { probesOf } from "../../../src/conformance/catalogue/probes.ts"
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import { isObject, type JsonObject } from "../../../src/findings/json.ts"
import type { OcpiCall } from "../../../src/ocpi/OcpiClient.ts"
import { bothRoles } from "../../../src/sandbox/faults/Fault.ts"
import { gradedQuickly, type Trouble } from "../../support/parties/quickWorld.ts"
import { playsAllVersions } from "../../support/versionsInTurn.ts"

/** How long a run has waited, where waits side by side count once: nothing else takes time by the clock of the test. */
const secondsOf = (events: ReadonlyArray<LedgerEvent>) => {
  const spans = events.filter(isEventOf("wait.started")).map(({ data, occurredAt }) => {
    const end = events
      .filter(isEventOf("wait.satisfied", "wait.expired"))
      .find((one) => one.data?.step === data.step)
    const over = Math.min(Date.parse(data.deadline), Date.parse(end?.occurredAt ?? data.deadline))
    return { begin: Date.parse(occurredAt), over }
  })
  const { seconds } = spans
    .toSorted((a, b) => a.begin - b.begin)
    .reduce(
      (sum, { begin, over }) => ({
        until: Math.max(sum.until, over),
        seconds: sum.seconds + Math.max(0, over - Math.max(begin, sum.until)) / 1000
      }),
      { until: 0, seconds: 0 }
    )
  return seconds
}

const stepsIn = (events: ReadonlyArray<LedgerEvent>, type: LedgerEvent["type"]) =>
  events.flatMap((event) =>
    event.type === type && "data" in event && event.data !== undefined && "step" in event.data
      ? [String(event.data.step)]
      : []
  )

const tried = (...some: ReadonlyArray<OcpiVersion>) => (playsAllVersions ? versionNumbers : some)

describe("a full suite", () => {
  it.live.each(tried("2.1.1", "2.3.0"))(
    "takes at most 30 seconds with a CPO whose charge points answer as real ones, in %s",
    (version) =>
      Effect.map(gradedQuickly({ version, role: "CPO", speed: 1 }), ({ assertions, events }) => {
        assert.isAtMost(secondsOf(events), 30)
        const bad = assertions.filter(({ outcome }) => outcome === "failed" || outcome === "warned")
        assert.deepStrictEqual(bad, [])
      }),
    300_000
  )

  it.live.each(tried("2.1.1", "2.2.1"))(
    "takes at most 120 seconds with a CPO that accepts commands and never calls us, and names one cause, in %s",
    (version) =>
      Effect.map(
        gradedQuickly({ version, role: "CPO", speed: 1, isSilent: true }),
        ({ assertions, events }) => {
          assert.isAtMost(secondsOf(events), 120)
          const failed = assertions.filter(({ outcome }) => outcome === "failed").map(({ id }) => id)
          assert.include(failed, "CMD-004")
          const given = assertions.filter(({ reason = "" }) => reason.includes("waited for again"))
          for (const { outcome } of given) assert.strictEqual(outcome, "unobservable")
        }
      ),
    300_000
  )
})

describe("a full suite with a CPO that leaves its sessions to be read", () => {
  it.live.each(tried("2.1.1", "2.2.1"))(
    "takes at most 120 seconds, and judges from the list what was begun and ended, in %s",
    (version) =>
      Effect.map(
        gradedQuickly({ version, role: "CPO", speed: 1, isSilent: "except results" }),
        ({ assertions, events }) => {
          assert.isAtMost(secondsOf(events), 120)
          const outcomes = new Map(assertions.map(({ id, outcome }) => [id, outcome]))
          for (const id of ["CMD-020", "CMD-026"]) assert.strictEqual(outcomes.get(id), "passed", id)
        }
      ),
    300_000
  )
})

/** What is wrong with a call of the partner about a session. */
const withSession =
  (change: (body: JsonObject) => unknown) =>
  (call: OcpiCall): OcpiCall =>
    call.module === "sessions" && isObject(call.body) ? { ...call, body: change(call.body) } : call

const inLowerCase = (body: JsonObject) =>
  typeof body["status"] === "string" ? { ...body, status: body["status"].toLowerCase() } : body

/** Each form, and the checks that may tell it. */
const refusedSessions: ReadonlyArray<
  readonly [string, (body: JsonObject) => unknown, ReadonlyArray<string>]
> = [
  ["with a status in lower case", inLowerCase, ["SESS-024"]],
  ["without its token", ({ cdr_token: _, auth_id: _id, ...body }) => body, ["SESS-024"]],
  // A list has no last_updated either.
  ["as a list", (body) => [body], ["SESS-024", "TRANS-053"]],
  [
    "as COMPLETED with a status in lower case",
    (body) => (body["status"] === "COMPLETED" ? inLowerCase(body) : body),
    ["SESS-025"]
  ]
]

describe("a full suite with a CPO whose pushes of sessions we refuse", () => {
  for (const version of tried("2.1.1", "2.2.1"))
    it.live.each(refusedSessions)(
      `takes at most 60 seconds, and says what came, where each session comes %s, in ${version}`,
      ([, change, tellers]) =>
        Effect.map(
          gradedQuickly({ version, role: "CPO", speed: 1, calls: withSession(change) }),
          ({ assertions, events }) => {
            assert.isAtMost(secondsOf(events), 60)
            const bad = assertions.filter(({ outcome }) => outcome === "failed" || outcome === "warned")
            assert.isNotEmpty(bad)
            for (const { id } of bad) assert.include(tellers, id)
            const silent = assertions.filter(({ reason = "" }) =>
              /waited for again|no push of a/.test(reason)
            )
            assert.deepStrictEqual(
              silent.map(({ id, reason }) => [id, reason]),
              []
            )
          }
        ),
      300_000
    )
})

describe("a full suite with an EMSP", () => {
  it.live.each(tried("2.1.1", "2.2.1"))(
    "waits no more than 30 seconds, whether it calls us or not, in %s",
    (version) =>
      Effect.forEach([false, true], (isSilent) =>
        Effect.map(gradedQuickly({ version, role: "EMSP", speed: 1, isSilent }), ({ events }) =>
          assert.isAtMost(secondsOf(events), 30)
        )
      ),
    300_000
  )
})

describe("a run of a few checks", () => {
  it.live("plays the steps that they need, and no script for the sake of its calls", () =>
    Effect.map(
      gradedQuickly({ version: "2.2.1", role: "CPO", checks: ["CMD-011", "CMD-025"] }),
      ({ events }) => {
        const sent = stepsIn(events, "exchange.intended")
        assert.deepStrictEqual(
          sent.filter((step) => step.startsWith("commands.wrong#")),
          neededBy("CMD-011").filter((step) => sent.includes(step))
        )
        for (const script of ["commands.start#", "commands.reserve#", "commands.expire#"])
          assert.isFalse(
            sent.some((step) => step.startsWith(script)),
            script
          )
        assert.isFalse(stepsIn(events, "wait.started").includes("commands.card#retry"))
      }
    )
  )

  const neededBy = (id: string) => {
    const scope = { profile: profileOf("2.2.1"), role: "CPO" } as const
    const { ifGathered, needs } = allChecks.find((check) => check.id === id)!
    return [...needs(scope), ...(ifGathered?.(scope) ?? [])]
  }
})

describe("a step that is only for checks", () => {
  it("is needed by a check of its version", () => {
    const dead = versionNumbers.flatMap((version) =>
      bothRoles.flatMap((role) => {
        const scope = { profile: profileOf(version), role }
        const needed = new Set(allChecks.flatMap((check) => check.needs(scope)))
        return [...probesOf(scope.profile, role).values()].flatMap((probe) =>
          "steps" in probe
            ? probe.steps.flatMap((step) =>
                step.forChecks === true && !needed.has(`${probe.id}#${step.id}`)
                  ? [`${probe.id}#${step.id}`]
                  : []
              )
            : []
        )
      })
    )
    assert.deepStrictEqual([...new Set(dead)], [])
  })
})

describe("a run that waits", () => {
  it.live("says in its report for whom, for what, since when and until when", () =>
    Effect.map(
      gradedQuickly({
        version: "2.2.1",
        role: "CPO",
        checks: ["CMD-026"],
        speed: 1,
        isSilent: true
      }),
      ({ reports }) => {
        const waits = reports.flatMap(({ waitingFor }) => waitingFor ?? [])
        assert.isNotEmpty(waits)
        for (const { deadline, instruction, party, since = "" } of waits) {
          assert.strictEqual(party, "partner")
          assert.isNotEmpty(instruction)
          assert.isBelow(Date.parse(since), Date.parse(deadline))
        }
        assert.notProperty(reports.at(-1), "waitingFor")
      }
    )
  )
})

/** Seconds from the first event to the last. */
const lengthOf = (events: ReadonlyArray<LedgerEvent>) =>
  (Date.parse(events.at(-1)!.occurredAt) - Date.parse(events[0]!.occurredAt)) / 1000

describe("a full suite with a partner that lets a method hang", () => {
  it.live.each([
    ["CPO", "PUT"],
    ["EMSP", "PUT"],
    ["EMSP", "PATCH"],
    ["CPO", "POST"]
  ] as const)(
    "of %s and %s takes at most 150 seconds, fails one check for it, and says so of the others",
    ([role, method]) =>
      Effect.map(
        gradedQuickly({
          version: "2.2.1",
          role,
          speed: 1,
          trouble: () => (call) =>
            call.method === method && call.module !== "credentials" ? "hangs" : undefined
        }),
        ({ assertions, events }) => {
          const failed = assertions.filter(({ outcome }) => outcome === "failed")
          assert.strictEqual(failed.length, 1, failed.map(({ id, message }) => `${id} ${message}`).join("\n"))
          const warned = assertions.filter(({ outcome }) => outcome === "warned")
          assert.isAtMost(warned.length, 1, warned.map(({ id, message }) => `${id} ${message}`).join("\n"))
          const others = assertions.filter(({ blockedBy }) => blockedBy?.check === failed[0]?.id)
          assert.isNotEmpty(others)
          assert.isAtMost(lengthOf(events), 150)
        }
      ),
    300_000
  )
})

describe("a full suite with a partner in trouble", () => {
  const eachOf = (several: number) => () => {
    let calls = 0
    return (): Trouble | undefined => {
      calls += 1
      return calls % several === 0 ? "breaks" : undefined
    }
  }
  /** From one request to another one. */
  const between = (first: number, last: number) => () => {
    let calls = 0
    return (): Trouble | undefined => {
      calls += 1
      return calls >= first && calls <= last ? "is down" : undefined
    }
  }

  it.live.each([
    ["whose connections break each fifth time", "CPO", eachOf(5)],
    ["whose connections break each fifth time", "EMSP", eachOf(5)],
    ["whose connections break each seventh time", "EMSP", eachOf(7)],
    ["that is down in the middle", "CPO", between(90, 190)],
    ["that is down in the middle", "EMSP", between(60, 200)]
  ] as const)(
    "%s, of role %s, fails one check for it",
    ([, role, trouble]) =>
      Effect.map(gradedQuickly({ version: "2.2.1", role, speed: 1, trouble }), ({ assertions, events }) => {
        const bad = assertions.filter(({ outcome }) => outcome === "failed" || outcome === "warned")
        assert.strictEqual(bad.length, 1, bad.map(({ id, message }) => `${id} ${message}`).join("\n"))
        assert.isAtMost(secondsOf(events), 120)
      }),
    300_000
  )

  it.live(
    "that is down when its sessions are read once more is not said to list CDRs of other sessions",
    () =>
      Effect.map(
        gradedQuickly({
          version: "2.2.1",
          role: "CPO",
          speed: 1,
          trouble: () => (call) =>
            call.module === "sessions" && /of what was told|read again/.test(call.operation)
              ? "is down"
              : undefined
        }),
        ({ assertions }) => {
          const bad = assertions.filter(({ outcome }) => outcome === "failed" || outcome === "warned")
          assert.deepStrictEqual(
            bad.map(({ id, message }) => `${id} ${message}`),
            []
          )
        }
      )
  )
})
