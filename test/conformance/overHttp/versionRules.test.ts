/** By which rules an answer is judged: those of the version that it belongs to, over every answer of the run. */
import { assert, describe, it } from "vitest"
import { alarms, gradedOverHttp } from "../support/overHttp.ts"

const stamp = () => `${new Date().toISOString().slice(0, 19)}Z`

describe("a partner that also lists 2.1.1", () => {
  it("is asked for its details as 2.1.1 has it, and judged by 2.2.1 in what is of 2.2.1 only", async () => {
    const { asked, assertions, completed } = await gradedOverHttp(
      ["VERS-*", "TRANS-011", "TRANS-012", "TRANS-013", "TRANS-025", "TRANS-026", "TRANS-031"],
      {
        moreVersions: ["2.1.1", "2.0"]
      }
    )
    assert.deepStrictEqual(alarms(assertions), [])
    const others = asked.filter(({ url }) => url.pathname === "/2.1.1" || url.pathname === "/2.0")
    assert.lengthOf(others, 2)
    for (const { headers } of others) assert.match(headers.authorization ?? "", /^Token plain-partner-token/)
    const kept = completed.find(({ request }) => request.url.endsWith("/2.1.1"))
    assert.strictEqual(kept?.ocpiVersion, "2.1.1")
  })

  it("may want the token there as in the version of the registration", async () => {
    const encoded = Buffer.from("plain-partner-token-0123456789").toString("base64")
    const { assertions, of } = await gradedOverHttp(["VERS-006", "VERS-007"], {
      moreVersions: ["2.1.1"],
      instead: ({ headers, url }, response) => {
        if (url.pathname !== "/2.1.1") return false
        const isKnown = headers.authorization === `Token ${encoded}`
        const data = { version: "2.1.1", endpoints: [{ identifier: "credentials", url: `${url.origin}/c` }] }
        response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" })
        response.end(
          JSON.stringify(
            isKnown
              ? { data, status_code: 1000, timestamp: stamp() }
              : { status_code: 2001, timestamp: stamp() }
          )
        )
        return true
      }
    })
    assert.deepStrictEqual(alarms(assertions), [])
    assert.strictEqual(of("VERS-006")?.outcome, "passed")
  })

  it("is warned, not failed, where no form of our token opens the other version's details", async () => {
    const { of } = await gradedOverHttp(["VERS-006"], {
      moreVersions: ["2.1.1"],
      instead: ({ url }, response) => {
        if (url.pathname !== "/2.1.1") return false
        response.writeHead(401).end()
        return true
      }
    })
    assert.strictEqual(of("VERS-006")?.outcome, "warned")
  })
})

describe("the rules of transport", () => {
  const checks = ["TRANS-011", "TRANS-012", "TRANS-013", "TRANS-016", "TRANS-025", "TRANS-027", "TOK-101"]
  type Answer = { readonly status: number; readonly headers: Record<string, string>; readonly body: unknown }
  const onPut = (change: (honest: Answer) => Answer) =>
    gradedOverHttp(checks, {
      instead: ({ headers, method }, response) => {
        if (method !== "PUT") return false
        const ids = {
          "x-request-id": String(headers["x-request-id"]),
          "x-correlation-id": String(headers["x-correlation-id"])
        }
        const {
          body,
          headers: ours,
          status
        } = change({
          status: 200,
          headers: { "content-type": "application/json", ...ids },
          body: { status_code: 1000, timestamp: stamp() }
        })
        response.writeHead(status, ours).end(JSON.stringify(body))
        return true
      }
    })
  const failed = async (change: (honest: Answer) => Answer) =>
    alarms((await onPut(change)).assertions).map((one) => one.split(":")[0])

  it("look at the answers to writes", async () => {
    assert.notIncludeMembers(await failed((honest) => honest), ["TRANS-013 failed", "TRANS-025 failed"])
    assert.include(await failed((honest) => ({ ...honest, body: { status_code: 1000 } })), "TRANS-013 failed")
    assert.include(
      await failed((honest) => ({ ...honest, headers: { "content-type": "application/json" } })),
      "TRANS-025 failed"
    )
    assert.include(
      await failed((honest) => ({ ...honest, headers: { ...honest.headers, "content-type": "text/html" } })),
      "TRANS-011 failed"
    )
  })

  it("look at refusals of writes by the rules of refusals", async () => {
    const refused = (body: unknown) => (honest: Answer) => ({ ...honest, body })
    assert.include(await failed(refused({ status_code: 2001 })), "TRANS-016 failed")
    const gateway = await failed(() => ({
      status: 403,
      headers: { "content-type": "text/plain" },
      body: "no"
    }))
    assert.include(gateway, "TRANS-011 warned")
    assert.notInclude(gateway, "TRANS-012 failed")
  })
})
