import { assert, describe, it } from "@effect/vitest"
import { partnerWords } from "../../src/findings/partnerWords.ts"

const said = (httpStatus: number, body: unknown) =>
  partnerWords({ httpStatus, body: typeof body === "string" ? body : JSON.stringify(body) })

describe("the words of a partner", () => {
  it("are found in the error bodies of OCPI and of frameworks", () => {
    const bodies: ReadonlyArray<readonly [unknown, string]> = [
      [{ status_code: 2001, status_message: "uid is too long" }, "uid is too long"],
      [{ detail: "Not authenticated" }, "Not authenticated"],
      [
        { detail: [{ loc: ["body", "state"], msg: "Field required", type: "missing" }] },
        "body.state: Field required"
      ],
      [
        {
          detail: [
            { loc: ["body", "a"], msg: "x" },
            { loc: ["body", "b", 0], msg: "y" }
          ]
        },
        "body.a: x; body.b.0: y"
      ],
      [{ type: "about:blank", title: "Bad Request", detail: "no party_id", status: 400 }, "no party_id"],
      [
        { title: "One or more validation errors occurred.", errors: { Uid: ["The Uid field is required."] } },
        "One or more validation errors occurred.: Uid: The Uid field is required."
      ],
      [{ timestamp: "t", status: 404, error: "Not Found", path: "/x" }, "Not Found"],
      [{ error: { code: 7, message: "unknown party" } }, "unknown party"],
      [{ message: ["uid must be a string"] }, "uid must be a string"],
      ["<!doctype html><html><head><title>502 Bad Gateway</title></head></html>", "502 Bad Gateway"],
      ["token expired\n", "token expired"]
    ]
    for (const [body, words] of bodies) assert.strictEqual(said(422, body), words)
  })

  it("are those of a refusal only", () => {
    assert.isUndefined(said(200, { status_code: 1000, status_message: "Success" }))
    assert.strictEqual(said(200, { status_code: 2003, status_message: "Unknown" }), "Unknown")
    assert.isUndefined(said(500, "<html><body>oops</body></html>"))
    assert.isUndefined(said(401, ""))
    assert.isUndefined(partnerWords(null))
  })

  it("are one line of 300 characters at most, whatever the body is", () => {
    const words = said(400, { detail: `a\u001b[31m\n${"b".repeat(1000)}` }) ?? ""
    assert.strictEqual(words.length, 300)
    assert.notMatch(words, /\p{Cc}/u)
    const deep = `${'{"detail":'.repeat(5000)}"x"${"}".repeat(5000)}`
    assert.isUndefined(said(400, deep))
    assert.isUndefined(said(400, { status_message: "x".repeat(70_000) }))
  })
})
