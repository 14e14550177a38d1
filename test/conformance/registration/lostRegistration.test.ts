/** A registration that is lost while a run goes on: one cause, by whose act it was, and nothing else is held against the partner. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { PartyId } from "../../../schema/Ids.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { type PlainPartner, type PlainRequest, plainPartner } from "../../support/parties/plainEmsp.ts"
import { gradedQuickly, type Happening } from "../../support/parties/quickWorld.ts"
import { textFlaws } from "../../support/textFlaws.ts"

const reading = ["CRED-012", "CRED-039", "TOK-*", "PAGE-0*", "LOC-10*", "TAR-10*", "SESS-10*"]

const isOfModule = ({ url }: PlainRequest) => url.pathname.split("/").length > 4

/** Knows our token until it has answered that many requests to its modules. */
const forgetting =
  (after: number, then: (request: PlainRequest, forgotten: boolean) => boolean = (_, gone) => gone) =>
  (): PlainPartner => {
    const known = plainPartner()
    let answered = 0
    return (request, callBack) => {
      if (isOfModule(request)) answered += 1
      return then(request, answered > after)
        ? Effect.succeed({
            status: 401,
            body: JSON.stringify({ status_code: 2000, timestamp: "2026-06-01T12:00:00Z" })
          })
        : known(request, callBack)
    }
  }

/** Ends the registration by DELETE credentials, as the text lets it, when it has answered that many requests to its modules. */
const leaving = (after: number, token: () => string): PlainPartner => {
  const known = plainPartner()
  let answered = 0
  let gone = false
  return (request, callBack) =>
    Effect.gen(function* () {
      if (isOfModule(request)) answered += 1
      if (answered > after && !gone) {
        gone = true
        yield* callBack(
          "https://us.example/ocpi/2.2.1/credentials",
          { authorization: `Token ${Buffer.from(token()).toString("base64")}` },
          "DELETE"
        )
      }
      return gone
        ? { status: 401, body: JSON.stringify({ status_code: 2000, timestamp: "2026-06-01T12:00:00Z" }) }
        : yield* known(request, callBack)
    })
}

/** Refuses those requests from the moment at which the run begins. */
const refusingLater = (which: (request: PlainRequest) => boolean) => {
  let isOver = false
  const plain = forgetting(0, (request) => isOver && which(request))()
  const before: Happening = () =>
    Effect.sync(() => {
      isOver = true
    })
  return play(plain, reading, before)
}

const play = (plain: PlainPartner, checks = reading, before?: Happening) =>
  Effect.map(
    gradedQuickly({
      version: "2.2.1",
      role: "EMSP",
      plain,
      checks,
      ...(before === undefined ? {} : { before })
    }),
    ({ assertions }) => ({
      accused: assertions
        .filter(({ outcome }) => ["failed", "warned", "error"].includes(outcome))
        .map(({ id }) => id),
      blocked: assertions.filter(({ blockedBy }) => blockedBy !== undefined),
      of: (id: string) => assertions.find((one) => one.id === id)
    })
  )

describe("a registration that is lost while a run goes on", () => {
  it.live("is one finding where the partner refuses the token of its own accord", () =>
    Effect.gen(function* () {
      const { accused, blocked, of } = yield* play(forgetting(9)())
      const honest = yield* play(plainPartner())
      assert.deepStrictEqual(
        accused.filter((id) => !honest.accused.includes(id)),
        ["CRED-012"]
      )
      assert.match(`${of("CRED-012")?.message}`, /neither side has ended or renewed/)
      assert.isAbove(blocked.filter(({ blockedBy }) => blockedBy?.check === "CRED-012").length, 5)
      for (const { attribution } of blocked) assert.strictEqual(attribution, "partner")
    })
  )

  it.live("is no finding where the partner sends DELETE credentials: the rest names that call", () => {
    let token = ""
    const reads: Happening = ({ ours }) =>
      Effect.gen(function* () {
        const tokens = yield* (yield* PartyStore).tokens(PartyId.make(ours.id))
        token = Redacted.value(tokens.find(({ slot }) => slot === "issued")!.value)
      })
    return Effect.gen(function* () {
      const { accused, blocked } = yield* play(
        leaving(9, () => token),
        reading,
        reads
      )
      const honest = yield* play(plainPartner())
      assert.deepStrictEqual(
        accused.filter((id) => !honest.accused.includes(id)),
        []
      )
      const told = blocked.filter(({ reason }) => /it sent DELETE credentials/.test(reason ?? ""))
      assert.isAbove(told.length, 5)
      for (const { attribution, blockedBy } of told) {
        assert.strictEqual(attribution, "partner")
        assert.match(`${blockedBy?.exchangeId}`, /^exc_/)
      }
    })
  })

  it.live(
    "is held against nobody where a request of ours came before: the check of that request reports it",
    () =>
      Effect.gen(function* () {
        const checks = ["CRED-015", "CRED-016", "CRED-027", "CRED-028", "CRED-029", "CRED-030", "CRED-035"]
        const { accused, of } = yield* play(plainPartner("second POST ends it"), checks)
        assert.deepStrictEqual(accused, ["CRED-016"])
        for (const id of ["CRED-027", "CRED-029", "CRED-035"]) {
          assert.deepInclude(of(id), { outcome: "not_tested", attribution: "ours" }, id)
          assert.match(`${of(id)?.reason}`, /lost by a request of this run: .*POST credentials/, id)
          assert.deepStrictEqual(textFlaws(`${of(id)?.reason}`), [])
        }
      })
  )

  it.live("is one finding where it was gone before the run began", () =>
    Effect.gen(function* () {
      const { accused, blocked, of } = yield* refusingLater(() => true)
      assert.deepStrictEqual(accused, ["CRED-012"])
      assert.match(`${of("CRED-012")?.message}`, /opened nothing since the run began/)
      assert.deepStrictEqual(textFlaws(`${of("CRED-012")?.message}`), [])
      assert.isAbove(blocked.length, 20)
      for (const { attribution, blockedBy, id, reason } of blocked) {
        assert.strictEqual(attribution, "partner", id)
        assert.strictEqual(blockedBy?.check, "CRED-012", `${id}: ${reason}`)
      }
    })
  )

  it.live("is not taken for lost where versions alone refuse the token", () =>
    Effect.gen(function* () {
      const { blocked } = yield* refusingLater(({ url }) => url.pathname.endsWith("/versions"))
      assert.isEmpty(blocked.filter(({ reason }) => /registration/.test(reason ?? "")))
    })
  )

  it.live("is not taken for lost where one endpoint alone refuses the token", () =>
    Effect.gen(function* () {
      const stubborn = forgetting(0, ({ url }) => url.pathname.includes("/tariffs"))
      const { accused, blocked } = yield* play(stubborn(), ["CRED-012", "TAR-10*", "LOC-10*"])
      assert.include(accused, "TAR-101")
      assert.notInclude(accused, "CRED-012")
      assert.isEmpty(blocked.filter(({ reason }) => /registration/.test(reason ?? "")))
    })
  )
})
