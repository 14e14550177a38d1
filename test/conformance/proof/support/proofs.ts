/** The matrix of proofs: each fault of the sandbox in each version and role, and the checks that say they catch it there. */

import { Array, Effect } from "effect"
import type { Assertion } from "../../../../schema/Assertion.ts"
import type { OcpiVersion } from "../../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../../schema/ocpi/Role.ts"
import { faultLibrary } from "../../../../src/sandbox/faults/faultLibrary.ts"
import { gradedQuickly } from "../../../support/parties/quickWorld.ts"
import { type Answers, gradedAt } from "../../../support/parties/sandboxPartner.ts"
import { isPlayed } from "../../../support/sampled.ts"
import { toldApart } from "../../../support/toldApart.ts"
import { playsAllVersions } from "../../../support/versionsInTurn.ts"
import { checksIn, type SceneName, sceneFor, scenesOf } from "../../support/scenes.ts"
import { follows } from "./following.ts"
import { severalCauses } from "./severalCauses.ts"

/** One run: a fault, and every check that is graded in the scene in which it is to be seen. */
export interface Proof {
  readonly fault: string
  readonly version: OcpiVersion
  readonly role: Role
  readonly scene: SceneName
  readonly checks: ReadonlyArray<string>
}

/** What a run came to, by check id. */
export interface Proven extends Proof {
  readonly caught: ReadonlyArray<string>
  readonly missed: ReadonlyArray<string>
  readonly falseAlarms: ReadonlyArray<string>
  /** What is told as several causes although it is one fault; empty where it is one, or has a reason in `severalCauses`. */
  readonly apart: ReadonlyArray<string>
  readonly assertions: ReadonlyArray<Assertion>
}

export const proofs: ReadonlyArray<Proof> = faultLibrary.flatMap(({ caughtBy, id, roles, versions }) =>
  versions.flatMap((version) =>
    roles.flatMap((role) =>
      [...scenesOf(version, role)].flatMap(([scene, all]) => {
        const checks = all.filter((check) => caughtBy.includes(check.id)).map((check) => check.id)
        return checks.length === 0 ? [] : [{ fault: id, version, role, scene, checks }]
      })
    )
  )
)

/**
 * As many of them as show each check with each of its faults in each role, the versions taken in turn: what a change is held
 * against. PROOF_VERSIONS=all plays every version of every fault; `npm test` every sixteenth fault and role.
 */
export const chosenProofs: ReadonlyArray<Proof> = playsAllVersions ? proofs : inTurn(proofs)

function inTurn(all: ReadonlyArray<Proof>): ReadonlyArray<Proof> {
  const groups = Object.values(Array.groupBy(all, ({ fault, role }) => `${fault} ${role}`))
  return groups.flatMap((group, turn) => {
    if (!isPlayed(turn, 16)) return []
    const shown = new Set<string>()
    const first = turn % group.length
    return [...group.slice(first), ...group.slice(0, first)].filter(({ checks }) => {
      const isNew = checks.some((check) => !shown.has(check))
      for (const check of checks) shown.add(check)
      return isNew
    })
  })
}

const isAlarm = ({ outcome }: Assertion) => outcome === "failed" || outcome === "warned"

/** Runs it: each check named has to see the fault by itself, and no other may. `answers`: of the same version and role. */
export const proven = (proof: Proof, answers: Answers): Effect.Effect<Proven> =>
  Effect.gen(function* () {
    const named = faultLibrary.find(({ id }) => id === proof.fault)?.caughtBy ?? []
    const follow = follows[proof.fault] ?? []
    const assertions = yield* assertionsOf(proof, answers)
    const alarms = assertions.filter(isAlarm).map(({ id }) => id)
    const quiet = proof.checks.filter((id) => !alarms.includes(id))
    const honest = quiet.length === 0 ? [] : yield* assertionsOf(proof, answers, [])
    const missed = quiet.filter((id) => !isRecorded(id, assertions, honest))
    const causes = toldApart(assertions)
    return {
      ...proof,
      assertions,
      caught: proof.checks.filter((id) => !missed.includes(id)),
      missed,
      apart:
        causes.length > 1 && severalCauses[proof.fault] === undefined
          ? causes.map((found) => found.join(" "))
          : [],
      falseAlarms: alarms.filter((id) => !named.includes(id) && !follow.includes(id))
    }
  })

/** A rule that forbids nothing tells what the partner does: otherwise than what it tells of an honest one. */
function isRecorded(
  id: string,
  assertions: ReadonlyArray<Assertion>,
  honest: ReadonlyArray<Assertion>
): boolean {
  const told = (all: ReadonlyArray<Assertion>) => {
    const found = all.find((assertion) => assertion.id === id && assertion.outcome === "passed")
    return found === undefined ? undefined : `${found.message} ${found.actual}`
  }
  return told(assertions) !== undefined && told(assertions) !== told(honest)
}

function assertionsOf({ fault, role, scene, version }: Proof, answers: Answers, faults = [fault]) {
  return scene === "reading"
    ? gradedAt({ version, role, faults, answers }, checksIn(scene, version, role))
    : // A run that cannot be set up is a fault of the test.
      Effect.map(
        Effect.orDie(gradedQuickly({ ...sceneFor(scene, version, role), faults })),
        ({ assertions }) => assertions
      )
}
