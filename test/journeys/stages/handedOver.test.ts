/** Whether a partner hands over a new token, by what the ledger keeps of it. */
import { assert, describe, it } from "@effect/vitest"
import type { Exchange } from "../../../schema/Exchange.ts"
import { isSameToken } from "../../../src/journeys/stages/registration/handedOver.ts"

const answered = (sent: string, came: string) =>
  isSameToken({
    request: { headers: { authorization: `Token ${sent}` } },
    response: { body: JSON.stringify({ data: { token: came } }) }
  } as unknown as Exchange) // as much of it as is looked at

describe("a token that is handed over", () => {
  it("is none when it is the one that was in use", () => {
    assert.isTrue(answered("«tokenC:1f3a»", "«tokenC:1f3a»"))
  })

  it("is new when it is another one", () => {
    assert.isFalse(answered("«tokenC:1f3a»", "«tokenC:77aa»"))
  })
})
