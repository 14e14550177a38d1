/** `consequenceOf` of the checks: each names what a fault that is played breaks as well, and no circle. */
import { assert, describe, it } from "vitest"
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import { faultLibrary } from "../../../src/sandbox/faults/faultLibrary.ts"
import { mutations } from "../../strangers/mutations/mutations.ts"
import { follows } from "./support/following.ts"
import { severalCauses } from "./support/severalCauses.ts"

const pairs = allChecks.flatMap(({ consequenceOf = [], id }) =>
  consequenceOf.map((other) => [id, other] as const)
)

/** What goes off together where one thing is wrong: faults of the sandbox, and of strangers. */
const together: ReadonlyArray<ReadonlySet<string>> = [
  ...faultLibrary.map(({ caughtBy, id }) => new Set([...caughtBy, ...(follows[id] ?? [])])),
  ...mutations.map((row) => new Set([row.caughtBy, ...row.follows]))
]

describe("what is a consequence of what another check reports", () => {
  it("names checks that a version and role have beside it", () => {
    const wrong = pairs.filter(([id, other]) => {
      const [one, cause] = [id, other].map((wanted) => allChecks.find((check) => check.id === wanted))
      return (
        one === undefined ||
        cause === undefined ||
        !one.versions.some((version) => cause.versions.includes(version)) ||
        !one.roles.some((role) => cause.roles.includes(role))
      )
    })
    assert.deepStrictEqual(wrong, [])
  })

  it("is shown by a fault that breaks both", () => {
    assert.deepStrictEqual(
      pairs.filter(([id, other]) => !together.some((ids) => ids.has(id) && ids.has(other))),
      []
    )
  })

  it("has no circle", () => {
    const causes = new Map(allChecks.map(({ consequenceOf = [], id }) => [id, consequenceOf]))
    const reaches = (from: string, met: ReadonlyArray<string> = []): boolean =>
      met.includes(from) || (causes.get(from) ?? []).some((next) => reaches(next, [...met, from]))
    assert.deepStrictEqual(
      [...causes.keys()].filter((id) => reaches(id)),
      []
    )
  })
})

it("a fault that is told as several causes is one of the sandbox", () => {
  const ids = faultLibrary.map(({ id }) => id)
  assert.deepStrictEqual(
    Object.keys(severalCauses).filter((id) => !ids.includes(id)),
    []
  )
})
