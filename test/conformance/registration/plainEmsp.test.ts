/** Refusals and authorization, judged on a partner that shares no code with ours: each defect is seen by the check for it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { causesOf } from "../../../src/reports/causes.ts"
import { type Defect, type Freedom, plainPartner } from "../../support/parties/plainEmsp.ts"
import { gradedQuickly } from "../../support/parties/quickWorld.ts"

const graded = (checks: ReadonlyArray<string>, defects: ReadonlyArray<Defect | Freedom>, first = false) =>
  Effect.map(
    gradedQuickly({
      version: "2.2.1",
      role: "EMSP",
      plain: plainPartner(...defects),
      checks,
      ...(first ? { first } : {})
    }),
    ({ assertions }) =>
      Object.fromEntries(
        assertions.map(({ hint = "", id, message, outcome, reason }) => [
          id,
          { outcome, message: message ?? reason ?? "", hint }
        ])
      )
  )

const doors = ["CRED-049", "CRED-050", "CRED-051"]
const registration = ["CRED-001", "CRED-017", "CRED-018", "CRED-020", "CRED-048"]
const end = ["CRED-036"]
const first = ["CRED-0*"]

const all = (checks: ReadonlyArray<string>, failing: ReadonlyArray<string> = []) =>
  Object.fromEntries(checks.map((id) => [id, failing.includes(id) ? "failed" : "passed"]))
const accused = (found: Readonly<Record<string, { readonly outcome: string; readonly message: string }>>) =>
  Object.entries(found).flatMap(([id, { message, outcome }]) =>
    ["failed", "warned", "error"].includes(outcome) ? [`${id}: ${message}`] : []
  )
const outcomes = (found: Readonly<Record<string, { readonly outcome: string }>>) =>
  Object.fromEntries(Object.entries(found).map(([id, { outcome }]) => [id, outcome]))

describe("a partner that shares no code with ours", () => {
  it.live("is not accused when it does what the text says", () =>
    Effect.gen(function* () {
      for (const [checks, first] of [[doors], [registration, true], [end]] as const) {
        const found = yield* graded(checks, [], first)
        assert.deepStrictEqual(outcomes(found), all(checks), JSON.stringify(found))
      }
    })
  )

  it.live("is seen to serve its receivers to anyone, and to store what anyone writes", () =>
    Effect.gen(function* () {
      const found = yield* graded(doors, ["open receivers"])
      assert.deepStrictEqual(outcomes(found), all(doors, ["CRED-049", "CRED-051"]), JSON.stringify(found))
      assert.include(found["CRED-051"]?.message, "is stored")
    })
  )

  it.live("is seen to read the header's name by its letters, at its modules alone", () =>
    Effect.gen(function* () {
      const found = yield* graded(doors, ["spelling"])
      assert.deepStrictEqual(outcomes(found), all(doors, ["CRED-050"]), JSON.stringify(found))
    })
  )

  it.live("is seen to register after HTTP 405, in a second JSON object", () =>
    Effect.gen(function* () {
      const found = yield* graded(["CRED-017"], ["two documents"], true)
      assert.strictEqual(found["CRED-017"]?.outcome, "failed")
      assert.include(found["CRED-017"]?.message, "its body holds a credentials object")
    })
  )

  it.live.each(["follows strangers", "registers strangers"] as const)(
    "is seen to act on credentials without a token, though it answers HTTP 401: it %s",
    (defect) =>
      Effect.gen(function* () {
        const found = yield* graded(["CRED-048"], [defect], true)
        assert.strictEqual(found["CRED-048"]?.outcome, "failed", JSON.stringify(found))
        assert.include(found["CRED-048"]?.message, "called the versions URL")
      })
  )

  it.live("gets a report where it refuses to register us: one cause, in its own words", () =>
    Effect.gen(function* () {
      const scene = { version: "2.2.1", role: "EMSP", plain: plainPartner("picky"), first: true } as const
      const { assertions } = yield* gradedQuickly(scene)
      const said = "body.roles.0.business_details.website: Field required"
      const of = (id: string) => assertions.find((one) => one.id === id)
      assert.strictEqual(of("CRED-001")?.outcome, "failed")
      assert.strictEqual(of("CRED-001")?.partnerSaid, said)
      const blocked = [
        "CRED-013",
        "CRED-020",
        "CRED-021",
        "CRED-022",
        "CRED-023",
        "CRED-024",
        "CRED-025",
        "CRED-026",
        "CRED-047"
      ]
      for (const id of blocked)
        assert.strictEqual(`${of(id)?.outcome} ${of(id)?.blockedBy?.check}`, "not_tested CRED-001", id)
      const [cause, ...others] = causesOf(assertions)
      assert.deepStrictEqual(others, [])
      assert.deepInclude(cause, { found: ["CRED-001"], blocked, partnerSaid: said })
    })
  )

  it.live(
    "is not accused where it lists credentials alone: our handshake goes no further, and says why",
    () =>
      Effect.gen(function* () {
        const found = yield* graded(first, ["credentials alone"], true)
        assert.deepStrictEqual(accused(found), [], JSON.stringify(found))
        for (const id of ["CRED-001", "CRED-013", "CRED-026", "CRED-047"]) {
          assert.strictEqual(found[id]?.outcome, "not_tested", id)
          assert.match(`${found[id]?.message}`, /as far as POST credentials: .*list no endpoint/, id)
        }
      })
  )

  it.live("may register us while our details list credentials alone: that is the registration", () =>
    Effect.gen(function* () {
      for (const traits of [["needs no module"], ["needs no module", "credentials alone"]] as const) {
        const found = yield* graded(first, traits, true)
        assert.deepStrictEqual(accused(found), [], JSON.stringify(found))
        for (const id of ["CRED-001", "CRED-013", "CRED-025", "CRED-026"])
          assert.strictEqual(found[id]?.outcome, "passed", `${id}: ${found[id]?.message}`)
        // What lists no endpoint ends our handshake before PUT credentials.
        const isAlone = traits.some((trait) => trait === "credentials alone")
        assert.strictEqual(
          found["CRED-047"]?.outcome,
          isAlone ? "not_tested" : "passed",
          found["CRED-047"]?.message
        )
      }
    })
  )

  it.live("has answered a wrong request with a token that it does not know: one cause, and the proof", () =>
    Effect.gen(function* () {
      const scene = { version: "2.2.1", role: "EMSP", first: true, checks: first } as const
      const { assertions } = yield* gradedQuickly({ ...scene, plain: plainPartner("token for nothing") })
      const of = (id: string) => assertions.find((one) => one.id === id)
      assert.deepStrictEqual(
        assertions
          .filter(({ outcome }) => ["failed", "warned", "error"].includes(outcome))
          .map(({ id }) => id),
        ["CRED-020"]
      )
      for (const id of ["CRED-001", "CRED-026", "CRED-047"]) {
        assert.strictEqual(of(id)?.blockedBy?.check, "CRED-020", id)
        assert.match(`${of(id)?.reason}`, /that token is not accepted .*HTTP 401/, id)
      }
    })
  )

  it.live("is asked a moment later where it has queued DELETE credentials: HTTP 202 is the one finding", () =>
    Effect.gen(function* () {
      const scene = { version: "2.2.1", role: "EMSP", checks: ["CRED-035", "CRED-036", "CRED-038"] } as const
      const { assertions } = yield* gradedQuickly({ ...scene, plain: plainPartner("queues DELETE") })
      assert.deepStrictEqual(Object.fromEntries(assertions.map(({ id, outcome }) => [id, outcome])), {
        "CRED-035": "failed",
        "CRED-036": "passed",
        "CRED-038": "passed"
      })
      assert.match(`${assertions.find(({ id }) => id === "CRED-035")?.hint}`, /^Carry out .*HTTP 202/)
    })
  )

  it.live("is seen to go on with a token that is over, which it knows in one form only", () =>
    Effect.gen(function* () {
      const found = yield* graded(end, ["token lives on"])
      assert.strictEqual(found["CRED-036"]?.outcome, "failed", JSON.stringify(found))
      // It checks tokens, and kept this one: it is not open to anyone.
      assert.include(found["CRED-036"]?.hint, "Make both tokens invalid")
    })
  )
})
