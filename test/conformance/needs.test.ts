/** A run whose order says what its verdict is to be about: what is left out is listed, and does not count. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { profileOf } from "../../schema/ocpi/versions.ts"
import { needsOf } from "../../src/conformance/catalogue/needs.ts"
import { allChecks } from "../../src/conformance/catalogue/suites.ts"
import { bothRoles } from "../../src/sandbox/faults/Fault.ts"
import { gradedQuickly } from "../support/parties/quickWorld.ts"

const version = "2.2.1"

describe("a full suite of what can be judged", () => {
  it.live.each(bothRoles)(
    "passes a conformant %s, and lists the rest as not asked for",
    (role) =>
      Effect.map(gradedQuickly({ version, role, needs: [] }), ({ assertions, reports }) => {
        assert.strictEqual(reports.at(-1)?.verdict, "pass")
        assert.deepStrictEqual(
          assertions.filter(({ outcome }) => outcome === "unobservable").map(({ id }) => id),
          []
        )
        const rest = assertions.filter(({ outcome }) => outcome === "not_tested")
        assert.isNotEmpty(rest)
        for (const { id, need, notAskedFor, reason = "" } of rest) {
          assert.isTrue(notAskedFor, id)
          assert.isDefined(need, id)
          assert.match(reason, /^not asked for: ./)
        }
      }),
    300_000
  )

  it.live("counts a kind that is asked for, and what is left out all the same when it was seen", () =>
    Effect.gen(function* () {
      const asked = yield* gradedQuickly({
        version,
        role: "CPO",
        checks: ["TAR-030", "CMD-027"],
        needs: ["partner_acts"]
      })
      assert.strictEqual(asked.reports.at(-1)?.verdict, "inconclusive")
      assert.deepStrictEqual(
        asked.assertions.map(({ id, need, notAskedFor, outcome }) => ({ id, need, notAskedFor, outcome })),
        [
          { id: "CMD-027", need: "second_registration", notAskedFor: true, outcome: "not_tested" },
          { id: "TAR-030", need: "partner_acts", notAskedFor: undefined, outcome: "unobservable" }
        ]
      )
      const seen = yield* gradedQuickly({
        version,
        role: "CPO",
        checks: ["CMD-027"],
        second: true,
        needs: []
      })
      assert.deepStrictEqual(
        seen.assertions.map(({ outcome }) => outcome),
        ["passed"]
      )
    })
  )

  it.live(
    "does not excuse a partner that says nothing",
    () =>
      Effect.map(
        gradedQuickly({ version, role: "CPO", modules: ["commands"], isSilent: true, needs: [] }),
        ({ assertions, reports }) => {
          assert.strictEqual(reports.at(-1)?.verdict, "fail")
          const given = assertions.filter(({ reason = "" }) => reason.includes("waited for again"))
          for (const { notAskedFor } of given) assert.isUndefined(notAskedFor)
        }
      ),
    300_000
  )
})

describe("the need of a check", () => {
  it.each([
    ["CPO", "LOC-038", "partner_data"],
    ["CPO", "TAR-030", "partner_acts"],
    ["CPO", "TOK-120", "partner_acts"],
    ["CPO", "CMD-037", "partner_acts"],
    ["CPO", "CMD-027", "second_registration"],
    ["CPO", "CRED-027", "risk"],
    ["EMSP", "CMD-107", "partner_acts"],
    ["EMSP", "CP-102", "partner_acts"]
  ] as const)("of a %s: %s is %s", (role, id, need) => {
    const scope = { profile: profileOf(version), role }
    assert.strictEqual(needsOf(scope)(allChecks.find((check) => check.id === id)!), need)
  })
})
