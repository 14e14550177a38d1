/** A second try with a Token A that the partner has used up names what went wrong at the first one. */
import { assert, describe, it } from "vitest"
import { withEarlierCause } from "../../../src/services/connections/usedToken.ts"

const posted = 'protocol: POST credentials answered HTTP 500; the partner says: "no endpoint"'
const refused = "auth: GET versions answered 401 to both token forms; check Token A"

describe("a handshake that is refused with the Token A of the one before", () => {
  it("says what had failed before, once however often it is tried", () => {
    const second = withEarlierCause(refused, posted)
    assert.match(second, /^auth: GET versions answered 401 .*; check Token A; the handshake before /)
    assert.isTrue(second.endsWith(`ask for a new Token A: ${posted}`))
    assert.strictEqual(withEarlierCause(refused, second), second)
    const open = "auth: GET version details answered 401 to the token in base64 form; check Token A"
    assert.include(withEarlierCause(open, posted), posted)
  })

  it("speaks of the token alone where no POST credentials came before, or of what is new", () => {
    for (const earlier of [undefined, refused, "network: GET versions got no usable answer, dns: x"])
      assert.strictEqual(withEarlierCause(refused, earlier), refused)
    assert.strictEqual(
      withEarlierCause("network: GET versions got no usable answer", posted).includes(posted),
      false
    )
    assert.strictEqual(withEarlierCause(posted, posted), posted)
  })
})
