import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { profileOf } from "../../schema/ocpi/versions.ts"
import {
  clausesOf,
  fitsGlob,
  risksAskedFor,
  selected,
  withholdingIn
} from "../../src/conformance/catalogue/selection.ts"
import { allChecks, suiteById } from "../../src/conformance/catalogue/suites.ts"
import { phaseOf, stagesOf } from "../../src/conformance/model/stages.ts"
import { cpuMillis } from "../support/cpuMillis.ts"

const full = suiteById("ocpi-2.2.1-cpo-full")!.checks
const check = (id: string) => allChecks.find((one) => one.id === id)!
const withheldIn = (environment: "test" | "production", checks: ReadonlyArray<string>) => {
  const asked = risksAskedFor(full, { checks })
  const withholding = withholdingIn(environment, ({ id }) => asked.includes(id))
  return (id: string) => withholding(check(id)) !== undefined
}

describe("what a run grades", () => {
  it("risks the registration only when the order names the check", () => {
    assert.isTrue(withheldIn("test", [])("CRED-027"))
    assert.isTrue(withheldIn("test", ["*"])("CRED-027"))
    assert.isFalse(withheldIn("test", ["CRED-*"])("CRED-027"))
    assert.isFalse(withheldIn("test", ["cred-027"])("CRED-027"))
    assert.isTrue(withheldIn("test", ["CRED-027"])("CRED-030"))
  })

  it("risks the registration where the order asks for what is risky", () => {
    const asked = risksAskedFor(full, { needs: ["risk"] })
    assert.include(asked, "CRED-027")
    assert.isTrue(asked.every((id) => phaseOf(check(id)) === "risk"))
    assert.isEmpty(risksAskedFor(full, { needs: ["partner_acts"] }))
  })

  it("does not write in production, whatever is asked for", () => {
    const isWithheld = withheldIn("production", ["CRED-*", "TOK-*"])
    assert.deepStrictEqual(["CRED-027", "TOK-101", "CRED-002", "VERS-001"].map(isWithheld), [
      true,
      true,
      false,
      false
    ])
  })

  it("reads first, then writes, then judges what it has seen, and risks last", () => {
    const order = stagesOf(full).map((stage) => stage.split(".")[1] ?? "read")
    assert.deepStrictEqual([...new Set(order)], ["read", "write", "watch", "risk"])
    const phases = order.filter((phase, index) => phase !== order[index - 1])
    assert.deepStrictEqual(phases, ["read", "write", "watch", "risk"])
  })

  it("needs scripts only in checks that may write, and risky ones only in the last phase", () => {
    for (const one of allChecks) {
      const text = one.needs({ profile: { interfaces: { CPO: [], EMSP: [] } } as never, role: one.roles[0]! })
      if (text.some((need) => need.includes("#"))) assert.notStrictEqual(phaseOf(one), "read", one.id)
      if (text.some((need) => /^credentials\.(again|rotate|unreachable|end)/.test(need)))
        assert.strictEqual(phaseOf(one), "risk", one.id)
    }
  })

  it("selects by id, glob, module and what was named before", () => {
    const ids = selected(full, { checks: ["TOK-1*"], modules: ["tokens"], among: ["TOK-101", "VERS-001"] })
    assert.deepStrictEqual(
      ids.map(({ id }) => id),
      ["TOK-101"]
    )
  })

  it("selects by a document of OCPI, by a section, and by a pattern of them", () => {
    const of = (...clauses: ReadonlyArray<string>) =>
      selected(full, { clauses }).map(({ reference }) => reference)
    const documents = of("mod_sessions")
    assert.isAbove(documents.length, 10)
    assert.isTrue(documents.every((reference) => /(^|; )mod_sessions(,|;|$)/.test(reference)))
    assert.isTrue(of("Mod_Sessions, sessionstatus ENUM").every((one) => /SessionStatus enum/.test(one)))
    assert.isAbove(of("mod_*, * enum").length, 5)
    assert.deepStrictEqual(of("mod_session"), [])
    assert.deepStrictEqual(clausesOf("mod_cdrs, CDR Object; CdrToken class; types, URL type"), [
      "mod_cdrs",
      "mod_cdrs, CDR Object",
      "mod_cdrs, CdrToken class",
      "types",
      "types, URL type"
    ])
  })

  it("has clauses that are documents of OCPI, or documents with a section", () => {
    const documents = new Set([
      ...["credentials", "introduction", "security", "status_codes", "terminology", "topology", "types"],
      ...["transport_and_format", "versions", "version_information_endpoint"]
    ])
    for (const { id, reference } of allChecks)
      for (const clause of clausesOf(reference)) {
        const [document = "", ...sections] = clause.split(", ")
        assert.isTrue(documents.has(document) || /^(mod_[a-z_]+|RFC \d+)$/.test(document), `${id}: ${clause}`)
        for (const section of sections) assert.notMatch(section, /^(the|a|an) /, `${id}: ${clause}`)
      }
  })

  it("shows the clauses by which it can be ordered", () => {
    const { checks } = suiteById("ocpi-2.2.1-cpo-full")!.detail
    for (const { clauses, reference } of checks) assert.deepStrictEqual(clauses, clausesOf(reference))
  })

  it("reads globs as the regular expression does that is written for them", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "-"), maxLength: 6 })
    const glob = fc.string({ unit: fc.constantFrom("a", "b", "-", "*"), maxLength: 6 })
    fc.assert(
      fc.property(glob, word, (glob, text) => {
        const pattern = new RegExp(`^${glob.replaceAll("*", ".*")}$`)
        assert.strictEqual(fitsGlob(glob, text), pattern.test(text), `${glob} ${text}`)
      }),
      { numRuns: 3000, seed: 14 }
    )
  })

  it("takes a moment for a glob of many stars, and for a thousand of them", () => {
    const attacks = [
      ["*".repeat(200)],
      [`${"*a".repeat(99)}x`],
      ["*-*".repeat(60)],
      ["*0".repeat(100)],
      Array.from({ length: 1000 }, (_, at) => `${"*-0".repeat(60)}${at}`)
    ]
    for (const checks of attacks)
      assert.isBelow(cpuMillis(() => selected(full, { checks })).millis, 250, checks[0])
    const text = "a".repeat(5000)
    assert.isBelow(cpuMillis(() => fitsGlob(`${"*a".repeat(20)}b`, text)).millis, 100)
  })

  it("is lenient about the rules that the catalogue names, and about no others", () => {
    const named =
      /^(TRANS-0(18|27|29|30|31|32)|CRED-009|PAGE-015|TOK-01[56]|CDR-0(08|09|12)|TAR-030|LOC-006|HUB-106)$/
    for (const { id, lenient } of allChecks) assert.strictEqual(lenient !== undefined, named.test(id), id)
    const { lenient } = check("LOC-006")
    assert.deepStrictEqual([lenient?.(profileOf("2.1.1")), lenient?.(profileOf("2.2.1"))], [true, false])
  })
})
