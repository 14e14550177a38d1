import { assert, describe, it } from "@effect/vitest"
import {
  type AnswerRule,
  accepted,
  allOf,
  anyOf,
  clientError,
  dataIs,
  headerIs,
  http,
  httpWithin,
  invalidParameters,
  milder,
  noServerError,
  ocpiStatus,
  ocpiStatusOf,
  onlyForRegistration,
  revoked,
  success,
  unauthorized
} from "../../src/findings/expectations.ts"
import { at, given, repeated, unless, when } from "../../src/findings/finding.ts"
import { answered, coded } from "./support/exchanges.ts"

/** Which of these answers the rule lets through. */
const holds = (rule: AnswerRule, ...seen: ReadonlyArray<ReturnType<typeof answered>>) =>
  seen.map((one) => rule(one).length === 0)

const status = (httpStatus: number) => answered(undefined, { httpStatus })

describe("an expectation", () => {
  it("names the request, the answer, what was expected and the exchange", () => {
    assert.deepStrictEqual(http(200, 201)(coded(2001, 400)), [
      {
        message: "GET locations was answered HTTP 400, status_code 2001",
        expected: "HTTP 200 or 201",
        actual: "HTTP 400, status_code 2001",
        exchangeId: "x-1"
      }
    ])
  })

  it("of a body that is not valid says what to change where it is refused in another way", () => {
    const hints = (seen: ReturnType<typeof answered>) => invalidParameters(seen).map(({ hint = "" }) => hint)
    assert.deepStrictEqual(hints(coded(2001)), [])
    assert.match(hints(status(422))[0] ?? "", /^Answer status_code 2001 .*in another way\.$/)
    assert.deepStrictEqual(hints(coded(1000)), [""])
  })

  it("of HTTP: one of the statuses, or a range with both ends", () => {
    assert.deepStrictEqual(holds(http(401), status(401), status(403)), [true, false])
    assert.deepStrictEqual(holds(httpWithin(200, 299), status(199), status(200), status(299), status(300)), [
      false,
      true,
      true,
      false
    ])
    assert.deepStrictEqual(holds(noServerError, status(499), status(500)), [true, false])
  })

  it("of the status code: the number, also where it is written as a text, which TRANS-012 tells of", () => {
    assert.deepStrictEqual(
      holds(ocpiStatus(2001, 2002), coded(2002), coded("2002"), coded(1000), coded("")),
      [true, true, false, false]
    )
    assert.deepStrictEqual(holds(accepted, coded("1001"), coded("2001"), coded("1e3"), coded([1000])), [
      true,
      false,
      false,
      false
    ])
    assert.deepStrictEqual(holds(ocpiStatusOf(1), coded(1000), coded(1999), coded(2000), answered()), [
      true,
      true,
      false,
      false
    ])
  })

  it("of success: HTTP 200 or any 2xx, and status_code 1000", () => {
    assert.deepStrictEqual(holds(success, coded(1000), coded(1000, 201), coded(2000)), [true, false, false])
    assert.deepStrictEqual(holds(accepted, coded(1000), coded(1000, 201), coded(1000, 404)), [
      true,
      true,
      false
    ])
    assert.strictEqual(success(coded(2000))[0]?.pointer, "/status_code")
    assert.isUndefined(success(coded(2000, 404))[0]?.pointer)
    const [created] = success(coded(1000, 201))
    assert.strictEqual(created?.strength, "should", "the text says SHOULD of HTTP 200 and 201")
    assert.match(created?.hint ?? "", /201 says that an object was created/)
    assert.isUndefined(success(coded(2000, 201))[0]?.strength)
  })

  it("of a refusal: status_code 2xxx without a server error", () =>
    assert.deepStrictEqual(holds(clientError, coded(2001, 400), coded(2001, 500), coded(3000)), [
      true,
      false,
      false
    ]))

  it("of a missing token: HTTP 401, with a hint for who lets everybody in", () => {
    assert.deepStrictEqual(holds(unauthorized, status(401)), [true])
    assert.include(unauthorized(coded(1000))[0]?.hint, "open to anyone")
    assert.include(unauthorized(status(404))[0]?.hint, "Answer HTTP 401")
  })

  it("of a request whose name says which token it has does not say it again", () => {
    const message = (about: string) => unauthorized({ ...coded(1000), about })[0]?.message
    const was = "was answered HTTP 200, status_code 1000"
    assert.strictEqual(message(""), `GET locations without a valid token ${was}`)
    const without = "without Authorization header"
    for (const about of [without, "with an unknown token", `unknown object, ${without}`])
      assert.strictEqual(message(about), `GET locations (${about}) ${was}`)
  })

  it("of a token that was valid before: HTTP 401, and the hint is left to the check", () => {
    for (const [rule, how] of [
      [revoked, "with a token that is not valid any more"],
      [onlyForRegistration, "with Token A"]
    ] as const) {
      assert.deepStrictEqual(holds(rule, status(401)), [true])
      const [found] = rule(coded(1000))
      assert.strictEqual(found?.message, `GET locations ${how} was answered HTTP 200, status_code 1000`)
      assert.isUndefined(found?.hint)
    }
  })

  it("of data: its kind", () => {
    assert.deepStrictEqual(holds(dataIs("a non-empty array"), coded(1000, 200, [1]), coded(1000, 200, [])), [
      true,
      false
    ])
    assert.deepStrictEqual(holds(dataIs("an object"), coded(1000, 200, {}), coded(1000, 200, [])), [
      true,
      false
    ])
    assert.deepInclude(dataIs("an array")(answered())[0], { pointer: "/data", actual: "absent" })
  })

  it("of a header: found under its name in any case", () => {
    const rule = headerIs("X-Limit", "a number", (value) => /^\d+$/.test(value ?? ""))
    assert.deepStrictEqual(rule(answered(undefined, { headers: { "x-limit": "5" } })), [])
    assert.deepInclude(rule(answered())[0], {
      message: "GET locations: X-Limit is missing",
      actual: "absent"
    })
  })
})

describe("combining", () => {
  it("all: the findings of the first rule that does not hold", () => {
    assert.deepStrictEqual(allOf(http(200), ocpiStatus(1000))(coded(1000)), [])
    assert.deepStrictEqual(
      allOf(http(200), http(201), ocpiStatus(1000))(coded(2000, 201)).map(({ expected }) => expected),
      ["HTTP 200"]
    )
  })

  it("any: one rule is enough; otherwise every one is expected", () => {
    const rule = anyOf(http(404, 405), clientError)
    assert.deepStrictEqual(holds(rule, status(405), coded(2001)), [true, true])
    assert.strictEqual(rule(coded(1000))[0]?.expected, "HTTP 404 or 405, or status_code 2xxx")
  })

  it("milder: a finding is a should where the rule says so", () => {
    const rule = milder(({ response }) => response.httpStatus < 500, http(405))
    assert.deepStrictEqual(
      [status(404), status(500)].map((seen) => rule(seen)[0]?.strength),
      ["should", undefined]
    )
  })
})

describe("findings", () => {
  const found = () => at(answered(), "/data/0", "it is wrong", { expected: "right", actual: { id: 1 } })

  it("point to a place of the body, and show the value there", () =>
    assert.deepStrictEqual(found(), {
      message: "it is wrong (/data/0)",
      pointer: "/data/0",
      expected: "right",
      actual: '{"id":1}',
      exchangeId: "x-1"
    }))

  it("are made only where something is wrong", () => {
    const never = () => assert.fail("it was made")
    assert.deepStrictEqual([...unless(true, never), ...when(false, never), ...given(undefined, never)], [])
    assert.deepStrictEqual(
      [...unless(false, found), ...when(true, found), ...given(1, found)].map(({ pointer }) => pointer),
      ["/data/0", "/data/0", "/data/0"]
    )
  })

  it("about what occurs again leave out the first", () =>
    assert.deepStrictEqual(
      repeated(["a", "b", "A", "a"], (text) => text.toLowerCase()),
      ["A", "a"]
    ))
})
