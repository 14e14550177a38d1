/** Every reference to the OCPI text leads to a section that is there, by the headings of each version. */
import { assert, describe, it } from "vitest"
import { sections } from "../../schema/ocpi/sections.ts"
import { versionNumbers } from "../../schema/ocpi/versions.ts"
import { allChecks } from "../../src/conformance/catalogue/suites.ts"
import { templates } from "../../src/journeys/catalogue/catalogue.ts"
import { referenceFlaws, sectionsOf } from "./support/textSections.ts"

const told = (
  all: ReadonlyArray<readonly [string, string, ReadonlyArray<(typeof versionNumbers)[number]>]>
) =>
  all.flatMap(([id, reference, versions]) =>
    referenceFlaws(reference, versions).map((flaw) => `${id}: ${flaw}`)
  )

describe("a reference", () => {
  it("of a check names sections that its versions have", () => {
    const both = allChecks.flatMap(({ ambiguous, id, reference, versions }) =>
      [reference, ...(ambiguous === undefined ? [] : [ambiguous.section])].map(
        (one) => [id, one, versions] as const
      )
    )
    assert.deepStrictEqual(told(both), [])
  })

  it("of a journey's rule names sections that the text has", () => {
    const rules = templates.flatMap(({ id, stages }) =>
      stages.flatMap(({ expect }) =>
        expect.map((rule) => [`${id} ${rule.id}`, rule.reference, versionNumbers] as const)
      )
    )
    const isOfSomeVersion = (reference: string) =>
      versionNumbers.some((version) => referenceFlaws(reference, [version]).length === 0)
    assert.isNotEmpty(rules)
    assert.deepStrictEqual(
      [
        ...new Set(
          rules
            .filter(([, reference]) => !isOfSomeVersion(reference))
            .map(([id, reference]) => `${id}: ${reference}`)
        )
      ],
      []
    )
  })

  it("of an object's schema names its section", () => {
    assert.deepStrictEqual(
      [...sections].filter(
        ([, reference]) =>
          !versionNumbers.some((version) => referenceFlaws(reference, [version]).length === 0)
      ),
      []
    )
  })

  it("is taken apart into documents and sections", () => {
    const inWords = (reference: string) =>
      sectionsOf(reference).map(({ document, section }) => `${document}: ${section}`)
    assert.deepStrictEqual(inWords("mod_cdrs, CDR Object; types, CiString type and string type"), [
      "mod_cdrs: CDR Object",
      "types: CiString type",
      "types: string type"
    ])
    assert.deepStrictEqual(
      inWords("mod_locations, EVSE and Connector objects; GET Method of the Sender Interface"),
      [
        "mod_locations: EVSE object",
        "mod_locations: Connector object",
        "mod_locations: GET Method",
        "mod_locations: Sender Interface"
      ]
    )
    assert.deepStrictEqual(inWords("the modules' Receiver Interface, PUT Method; status_codes, 2001"), [
      "the modules': Receiver Interface",
      "the modules': PUT Method",
      "status_codes: 2001"
    ])
  })

  it("is found out where there is no such section", () => {
    assert.lengthOf(referenceFlaws("status_codes, HTTP codes", ["2.2.1"]), 2)
    assert.isEmpty(referenceFlaws("mod_sessions, Sender Interface", ["2.1.1"]))
    assert.lengthOf(referenceFlaws("mod_cdrs, CDR Object; CdrToken class", ["2.1.1"]), 1)
  })
})
