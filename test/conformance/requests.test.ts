/**
 * Every request that the probes of every suite send is valid by the text of its version, but for the parts that the probe says
 * are wrong on purpose; and those are wrong.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { profileOf, versionNumbers } from "../../schema/ocpi/versions.ts"
import { bothRoles } from "../../src/sandbox/faults/Fault.ts"
import { gradedQuickly, type Scene } from "../support/parties/quickWorld.ts"
import { disagreements, type SentRequest } from "../support/requestLint.ts"
import { oneOf } from "../support/sampled.ts"
import { fullSuite, sceneFor } from "./support/scenes.ts"

const pairs = versionNumbers.flatMap((version) => bothRoles.map((role) => ({ role, version })))
/** `npm test` plays one pair of version and role. */
const partners = pairs.filter(oneOf(pairs.length))

/** What ends the registration is played apart. */
const isEnding = (id: string) => ["CRED-035", "CRED-036", "CRED-038", "CRED-037"].includes(id)

const sentIn = (scene: Scene) => {
  const sent: Array<SentRequest> = []
  return Effect.as(gradedQuickly({ ...scene, sent }), sent)
}

describe("the requests of the probes", () => {
  it.live.each(partners)(
    "are valid but for what is wrong on purpose: a whole suite of a $role in $version",
    ({ role, version }) =>
      Effect.map(
        sentIn({
          role,
          version,
          activity: "catalogue",
          second: true,
          checks: fullSuite(version, role)
            .map(({ id }) => id)
            .filter((id) => !isEnding(id))
        }),
        (sent) => {
          assert.isAbove(sent.length, 100)
          assert.deepStrictEqual(disagreements(sent), [])
        }
      ),
    300_000
  )

  it.live.each(partners.filter(({ version }) => profileOf(version).hub !== "none"))(
    "are valid behind a hub: a $role in $version",
    ({ role, version }) =>
      Effect.map(sentIn({ ...sceneFor("behind a hub", version, role), activity: "quiet" }), (sent) => {
        assert.isNotEmpty(sent)
        assert.deepStrictEqual(disagreements(sent), [])
      }),
    120_000
  )

  it.live.each(partners)(
    "are valid but for what is wrong on purpose: a registration and its end, of a $role in $version",
    ({ role, version }) =>
      Effect.gen(function* () {
        const registering = yield* sentIn(sceneFor("registering", version, role))
        const ending = yield* sentIn(sceneFor("ending", version, role))
        assert.isNotEmpty(ending)
        assert.deepStrictEqual(disagreements([...registering, ...ending]), [])
      }),
    120_000
  )
})
