/** Whether a partner hands over a new token, by what the ledger keeps of it. */
import { assert, describe, it } from "@effect/vitest"
import type { Exchange } from "../../../schema/Exchange.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { gradeStage } from "../../../src/journeys/grading/gradeStage.ts"
import type { JourneyStage } from "../../../src/journeys/model/JourneyTemplate.ts"
import { isSameToken, namesRole } from "../../../src/journeys/stages/registration/handedOver.ts"
import { historyOf } from "../support/history.ts"

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

describe("the role in the credentials", () => {
  const graded = (version: "2.1.1" | "2.2", credentials: object) => {
    const handed = () => ({ profile: profileOf(version), credentials: { ...credentials }, at: "/data" })
    const stage = {
      id: "rotate",
      module: null,
      act: { act: "exchange" },
      expect: [namesRole("rotate", "CPO", handed)]
    }
    const [found] = gradeStage(stage as unknown as JourneyStage, historyOf([])) // as much of it as is looked at
    return [found?.outcome, found?.attribution]
  }

  it("is nobody's to mend in a version whose credentials have none", () => {
    assert.deepStrictEqual(graded("2.1.1", {}), ["not_applicable", undefined])
    assert.deepStrictEqual(graded("2.2", {}), ["not_tested", "partner"])
    assert.deepStrictEqual(graded("2.2", { roles: [{ role: "CPO" }] }), ["passed", undefined])
  })
})
