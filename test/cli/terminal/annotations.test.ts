import { assert, describe, it } from "vitest"
import type { Assertion } from "../../../schema/Assertion.ts"
import { annotations } from "../../../src/cli/terminal/annotations.ts"

const failed = (id: string, over: Partial<Assertion> = {}): Assertion => ({
  id,
  title: "Title",
  outcome: "failed",
  strength: "must",
  reference: "mod_locations",
  ...over
})

describe("annotations", () => {
  it("name the check, what is wrong, how to mend it and where it stands", () => {
    assert.deepStrictEqual(annotations([failed("LOC-017", { message: "late", hint: "Be quick." })]), [
      "::error title=LOC-017::Title%0Afound: late%0Arule: must, mod_locations%0Achange: Be quick."
    ])
  })

  it("let no line of a partner become a command", () => {
    const [line] = annotations([failed("a:b,c", { message: "100%\r\n::set-output name=x::y\u001b[0m" })])
    assert.strictEqual(
      line,
      "::error title=a%3Ab%2Cc::Title%0Afound: 100%25%0D%0A::set-output name=x::y [0m%0Arule: must, mod_locations"
    )
  })

  it("are ten of a kind, warnings after errors, and none for what passed", () => {
    const many = Array.from({ length: 12 }, (_, index) => failed(`LOC-${index}`))
    const lines = annotations([
      failed("W", { outcome: "warned" }),
      failed("P", { outcome: "passed" }),
      ...many
    ])
    assert.strictEqual(lines.length, 11)
    assert.match(lines.at(-1)!, /^::warning title=W::/)
  })
})
