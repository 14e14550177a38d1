/** Our answers as conformance runs bend them, and that a partner finds us all the same. */
import { assert, describe, it } from "@effect/vitest"
import { RunId } from "../../schema/Ids.ts"
import { withFault } from "../../src/party/inbound/faultInjection.ts"
import { movedUrl, unmoved } from "../../src/party/wire/roots.ts"
import type { OurFault } from "../../src/store/parties/Party.ts"

const url = "https://us.example/ocpi/2.2.1/tokens?limit=2&offset=4"

const bend = (fault: OurFault["fault"], data: unknown, headers: Record<string, string> = {}) =>
  withFault(
    { fault, runId: RunId.make("run_1"), left: 1, until: "2099-01-01T00:00:00.000Z" },
    { httpStatus: 200, headers, body: JSON.stringify({ data, status_code: 1000 }) },
    { request: { url }, version: "2.2.1" }
  )
const dataOf = ({ body }: { readonly body: string | null }) => JSON.parse(body ?? "").data

describe("an answer that a run bends", () => {
  it("names all endpoints but credentials at another address, where we answer too", () => {
    const endpoint = (identifier: string) => ({
      identifier,
      url: `https://us.example/ocpi/2.2.1/${identifier}`
    })
    const { endpoints } = dataOf(
      bend("endpoints-moved", { version: "2.2.1", endpoints: [endpoint("credentials"), endpoint("tokens")] })
    )
    assert.strictEqual(endpoints[0].url, endpoint("credentials").url)
    assert.strictEqual(endpoints[1].url, movedUrl(endpoint("tokens").url))
    const path = new URL(endpoints[1].url).pathname.replace("/ocpi/", "").split("/")
    assert.deepStrictEqual(unmoved([...path, "NL"]), ["2.2.1", "tokens", "NL"])
  })

  it("puts a broken object in front of a page, and says where its other objects are", () => {
    const items = ["A", "B", "C", "D"].map((uid) => ({ uid, last_updated: "2026-01-01T00:00:00Z" }))
    const reply = bend("invalid-object", items)
    assert.deepStrictEqual(
      dataOf(reply).map(({ uid }: { uid: string }) => uid),
      ["TST-BROKEN", "A", "B"]
    )
    assert.include(reply.headers["link"], "limit=2&offset=6>")
  })

  it("is no longer than the page that was asked for, when there are more", () => {
    const items = ["A", "B"].map((uid) => ({ uid }))
    const reply = bend("invalid-object", items, { link: "<x>" })
    assert.lengthOf(dataOf(reply), 2)
    assert.include(reply.headers["link"], "offset=5>")
  })

  it("leaves a page alone that has nothing to spare", () => {
    assert.deepStrictEqual(dataOf(bend("invalid-object", [{ uid: "A" }])), [{ uid: "A" }])
  })

  it("is HTTP 503 while we are away", () => {
    assert.strictEqual(bend("unavailable", []).httpStatus, 503)
  })

  it("lists older versions before the agreed one, and none after it", () => {
    const list = dataOf(bend("older-versions", [{ version: "2.2.1", url: "https://us.example/ocpi/2.2.1" }]))
    assert.deepStrictEqual(
      list.map(({ version }: { version: string }) => version),
      ["2.1.1", "2.2", "2.2.1"]
    )
    assert.strictEqual(list[0].url, "https://us.example/ocpi/2.1.1")
  })
})
