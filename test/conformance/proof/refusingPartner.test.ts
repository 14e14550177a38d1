/**
 * A partner that gives one answer to each request of a module and method: a refusal, or a list without objects. What is judged by such
 * answers alone does not pass, but for the checks that support/provedByRefusal.ts names with the reason why.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import type { OcpiCall } from "../../../src/ocpi/OcpiClient.ts"
import { bothRoles } from "../../../src/sandbox/faults/Fault.ts"
import { type FixedAnswer, gradedQuickly, type Scene } from "../../support/parties/quickWorld.ts"
import { isPlayed, isSampled, turnOf } from "../../support/sampled.ts"
import { playsAllVersions } from "../../support/versionsInTurn.ts"
import { emptyList, gets, kindOf, response } from "../support/fixedAnswers.ts"
import { sceneFor, wholeScenes } from "../support/scenes.ts"
import { provedByEmptyList, provedByRefusal } from "./support/provedByRefusal.ts"

const refusals: ReadonlyArray<FixedAnswer> = [
  { httpStatus: 404, statusCode: 2000 },
  { httpStatus: 200, statusCode: 2000 },
  { httpStatus: 405, statusCode: 2000 },
  { httpStatus: 200, statusCode: 2001 },
  { httpStatus: 400, statusCode: 2001 },
  { httpStatus: 404, statusCode: 2003 }
]
/** What a CPO says of commands and charging profiles. */
const inWords = ["REJECTED", "NOT_SUPPORTED", "UNKNOWN_SESSION"].map(response)

const refusalsOf = (role: Role, kind: string): ReadonlyArray<FixedAnswer> =>
  role === "CPO" && / (commands|chargingprofiles)$/.test(kind) ? [...inWords, ...refusals] : refusals

/** All refusals with PROOF_VERSIONS=all, and otherwise one of them. */
const chosen = (role: Role, kind: string, index: number): ReadonlyArray<FixedAnswer> => {
  const all = refusalsOf(role, kind)
  return playsAllVersions ? all : all.slice((isSampled ? turnOf(all.length) : index) % all.length).slice(0, 1)
}

/** The checks that passed, and are judged by that answer alone where they are judged by requests of the method. */
const passedBy = (scene: Scene, kind: string, answer: FixedAnswer) => {
  const methods = new Map<string, string>()
  const given = new Set<string>()
  const trouble = () => (call: OcpiCall) => {
    methods.set(call.exchangeId, call.method)
    if (!gets(answer, kind, call)) return undefined
    given.add(call.exchangeId)
    return answer
  }
  return Effect.map(gradedQuickly({ ...scene, trouble }), ({ assertions }) => {
    assert.isAbove(given.size, 0)
    return assertions.flatMap(({ exchangeIds = [], id, outcome }) => {
      const alike = exchangeIds.filter((one) => kind.startsWith(`${methods.get(one)} `))
      return outcome === "passed" && alike.length > 0 && alike.every((one) => given.has(one)) ? [id] : []
    })
  })
}

/** What our side sends in a run with an honest partner. Without the versions there is no run. */
const kindsIn = (scene: Scene) => {
  const kinds = new Set<string>()
  const trouble = () => (call: OcpiCall) => {
    kinds.add(kindOf(call))
    return undefined
  }
  return Effect.map(gradedQuickly({ ...scene, trouble }), () =>
    [...kinds].filter((kind) => kind !== "GET versions")
  )
}

const listsOf = (role: Role): ReadonlyArray<string> =>
  role === "CPO" ? ["GET locations", "GET sessions", "GET cdrs", "GET tariffs"] : ["GET tokens"]

const calm = (version: OcpiVersion, role: Role): ReadonlyArray<Scene> =>
  wholeScenes(version, role).slice(0, 1)

/** `npm test` plays one request and one list of a version and role, `npm run test:proof` each with one refusal. */
const inTurn = versionNumbers
  .flatMap((version) => bothRoles.map((role) => ({ version, role })))
  .filter((_, index, { length }) => isPlayed(index, length))
const ofThose = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
  isSampled ? all.slice(turnOf(all.length)).slice(0, 1) : all

const none = (found: ReadonlyArray<string>) => assert.deepStrictEqual(found, [], found.join("\n"))

describe("a partner with one answer to each request of a module and method", () => {
  it.live.each(inTurn)(
    "passes no check by a refusal that does not prove it, as $role in $version",
    ({ role, version }) =>
      Effect.gen(function* () {
        const found: Array<string> = []
        const registering = (["registering", "renewing", "ending"] as const).map((name) =>
          sceneFor(name, version, role)
        )
        for (const scene of ofThose([...calm(version, role), ...registering]))
          for (const [index, kind] of ofThose(yield* kindsIn(scene)).entries())
            for (const answer of chosen(role, kind, index)) {
              const passed = yield* passedBy(scene, kind, answer)
              const odd = passed.filter((id) => !provedByRefusal(id, kind))
              found.push(...odd.map((id) => `${id} passed where ${kind} has ${JSON.stringify(answer)}`))
            }
        none(found)
      }),
    3_600_000
  )

  it.live.each(inTurn)(
    "passes no check by an empty list that does not prove it, as $role in $version",
    ({ role, version }) =>
      Effect.gen(function* () {
        const found: Array<string> = []
        for (const scene of calm(version, role))
          for (const kind of ofThose(listsOf(role))) {
            const passed = yield* passedBy(scene, kind, emptyList)
            const odd = passed.filter((id) => !provedByEmptyList(id, kind))
            found.push(...odd.map((id) => `${id} passed where ${kind} is empty`))
          }
        none(found)
      }),
    3_600_000
  )
})
