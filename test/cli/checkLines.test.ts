import { assert, describe, it } from "vitest"
import type { Assertion } from "../../schema/Assertion.ts"
import { badLines, fullLines } from "../../src/cli/follow/checkLines.ts"

const check = (outcome: Assertion["outcome"], over: Partial<Assertion> = {}): Assertion => ({
  id: "LOC-017",
  title: "Title",
  outcome,
  strength: "must",
  reference: "mod_locations",
  ...over
})

describe("results in lines", () => {
  it("are of what failed, warned or broke, with the place", () => {
    const lines = badLines([
      check("passed"),
      check("failed", {
        message: "late",
        pointer: "/data/0",
        actual: "1",
        partnerSaid: "no state",
        hint: "send it in time"
      }),
      check("warned"),
      check("error"),
      check("not_tested")
    ])
    assert.deepStrictEqual(lines, [
      "  x LOC-017 must  Title",
      "      found: late",
      "      at: /data/0",
      "      seen: 1",
      '      the partner says: "no state"',
      "      rule: must, mod_locations",
      "      change: send it in time",
      "  ! LOC-017 must  Title",
      "      rule: must, mod_locations",
      "  E LOC-017 must  Title",
      "      rule: must, mod_locations"
    ])
  })

  it("name a place once", () => {
    const bad = check("failed", { message: "late (/data/0)", pointer: "/data/0", actual: "1" })
    assert.deepStrictEqual(badLines([bad]).slice(1, 4), [
      "      found: late",
      "      at: /data/0",
      "      seen: 1"
    ])
  })

  it("are cut, but for the curl command", () => {
    const long = "x".repeat(900)
    const [, found, , curl] = badLines([check("failed", { message: long, curl: `curl ${long}` })])
    assert.isBelow(found!.length, 830)
    assert.strictEqual(curl, `      curl: curl ${long}`)
  })

  it("have every place of every finding, where one check is asked for", () => {
    const places = [{ pointer: "/data/0", object: "LOC1", exchangeId: "exc_1" }, { pointer: "/data/1" }]
    const bad = check("failed", { findings: [{ message: "late", strength: "must", count: 2, places }] })
    assert.deepStrictEqual(fullLines(bad).slice(-3), [
      "  2 times: late",
      "    /data/0  LOC1  exc_1",
      "    /data/1"
    ])
  })

  it("carry no control character of a partner", () => {
    const bad = check("failed", { message: "\u001b[2J", actual: "a\nb", pointer: "/\u0007" })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are looked for
    for (const line of [...badLines([bad]), ...fullLines(bad)]) assert.notMatch(line, /[\u0000-\u001f]/)
  })
})
