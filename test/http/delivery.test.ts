import { assert, describe, it } from "@effect/vitest"
import { makeDeliveryOf } from "../../src/http/handlers/delivery.ts"

describe("the delivery of a request", () => {
  const deliveryOf = makeDeliveryOf((text) => `digest of ${text}`)

  it("is named in the forms of HAProxy and nginx", () => {
    const uuid = "23ca840c-67a5-4d87-90d4-41bc7b7f7aa5"
    assert.deepStrictEqual(deliveryOf(`1795708800123-${uuid}`), {
      beganAt: 1795708800123,
      name: `digest of 1795708800123-${uuid}`
    })
    const id = "a".repeat(32)
    assert.strictEqual(deliveryOf(`1795708800.007-${id}`)?.beganAt, 1795708800007)
  })

  it("has no name in another form", () => {
    for (const header of [
      undefined,
      "",
      "a name of its own",
      "1795708800123",
      "1795708800123-short",
      `1795708800123-${"a".repeat(65)}`,
      `1795708800123-${"a b".repeat(10)}`,
      `17957088001234-${"a".repeat(32)}`,
      ["1795708800123-23ca840c-67a5-4d87-90d4-41bc7b7f7aa5"]
    ]) {
      assert.isUndefined(deliveryOf(header), String(header))
    }
  })
})
