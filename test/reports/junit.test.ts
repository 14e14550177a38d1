import { assert, describe, it } from "vitest"
import { junitOf } from "../../src/reports/junit.ts"
import { check, document, hostile } from "../support/documents.ts"
import { type Element, readXml } from "../support/readXml.ts"

const all = (element: Element, name: string): ReadonlyArray<Element> =>
  element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)])
const cases = (root: Element) => all(root, "testcase")

describe("junitOf", () => {
  const root = readXml(junitOf(document))

  it("has a suite for each module, with what it tested", () => {
    assert.strictEqual(root.name, "testsuites")
    assert.deepInclude(root.attributes, { tests: "8", failures: "1", errors: "1", time: "3.250" })
    assert.deepStrictEqual(
      root.children.map(({ attributes: { errors, failures, name, skipped, tests } }) => [
        name,
        tests,
        failures,
        errors,
        skipped
      ]),
      [
        ["versions", "3", "0", "1", "1"],
        ["locations", "5", "1", "0", "2"]
      ]
    )
  })

  it("counts in its attributes what stands in it", () => {
    for (const suite of root.children) {
      assert.strictEqual(cases(suite).length, Number(suite.attributes["tests"]))
      for (const [name, attribute] of Object.entries({
        failure: "failures",
        error: "errors",
        skipped: "skipped"
      }))
        assert.strictEqual(all(suite, name).length, Number(suite.attributes[attribute]))
    }
  })

  it("has the elements in the order and with the attributes that the schema asks for", () => {
    for (const suite of root.children) {
      assert.containsAllKeys(suite.attributes, ["id", "package", "hostname", "name", "tests", "time"])
      assert.match(suite.attributes["timestamp"]!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
      assert.deepStrictEqual(
        suite.children.map(({ name }, index) => name === (index === 0 ? "properties" : "testcase")),
        suite.children.map(() => true)
      )
      for (const one of cases(suite)) {
        assert.hasAllKeys(one.attributes, ["classname", "name", "time"])
        assert.match(one.attributes["time"]!, /^\d+\.\d{3}$/)
        assert.isAtMost(one.children.length, 1)
      }
    }
  })

  it("names version and role", () => {
    const properties = all(root.children[0]!, "property").map(({ attributes }) => attributes)
    assert.deepInclude(properties, { name: "ocpi.version", value: "2.2.1" })
    assert.deepInclude(properties, { name: "ocpi.role", value: "CPO" })
  })

  it("carries what a hostile partner wrote as text, without what XML cannot carry", () => {
    const [failure] = all(root, "failure")
    assert.include(failure!.attributes["message"], "</style></script><script>alert(1)</script>")
    assert.include(failure!.attributes["message"], "]]> \"'`` | @octocat \ufffd\ufffd[31m")
    assert.include(failure!.text, hostile.slice(0, 40))
  })

  it("counts an exchange that several checks judged once", () => {
    const times = cases(root).map(({ attributes }) => attributes["time"])
    assert.deepStrictEqual(times, ["0.250", "0.000", "0.000", "1.500", "0.000", "0.000", "0.000", "0.000"])
  })

  it("says of a warning that it is one, and lets it pass", () => {
    const warned = cases(root).find(({ attributes }) => attributes["name"]!.startsWith("LOC-018"))!
    assert.deepStrictEqual(
      warned.children.map(({ name }) => name),
      ["system-out"]
    )
    assert.match(warned.children[0]!.text, /^WARNED: late/)
  })

  it("is never green where nothing could be judged", () => {
    const groups = [{ id: "versions", startedAt: null, checks: [check("VER-001", "not_tested")] }]
    for (const verdict of ["inconclusive", null] as const) {
      const report = { ...document.report, verdict, status: "running" as const }
      const root = readXml(junitOf({ ...document, groups, report }))
      assert.deepInclude(root.attributes, { tests: "2", failures: "0", errors: "1" })
      assert.strictEqual(root.children.at(-1)!.attributes["name"], "verdict")
    }
  })
})
