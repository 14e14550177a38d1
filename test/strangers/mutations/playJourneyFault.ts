/** Plays a fault of a stranger in its journey. */
import { templateById } from "../../../src/journeys/catalogue/catalogue.ts"
import { kindOf, lackingNothing, strangerOf } from "../draw.ts"
import { playScene, type Scene } from "../journeys.ts"
import { isIn } from "../partner/objects/classes.ts"
import { type JourneyFault, journeyFaults, seen } from "./journeyFaults.ts"
import { attributed } from "./Mutation.ts"

/** The stranger of the first seed from `from` on that can have the fault, in its journey. */
export const sceneOf = ({ needs, templateId, versions }: JourneyFault, from: number): Scene | undefined => {
  const template = templateById(templateId)!
  for (let seed = from; seed < from + 8; seed += 1) {
    const { role, version } = kindOf(seed)
    if (
      role === template.ourRole ||
      !template.supportedVersions.includes(version) ||
      !isIn(version, versions)
    )
      continue
    const { freedoms } = lackingNothing(strangerOf(seed))
    const drawn = { role, version, freedoms: { ...freedoms, ...seen, ...needs } }
    return { name: `seed ${seed} ${version} ${role} ${templateId}`, templateId, drawn }
  }
  return undefined
}

/** What came of a fault: what its rule found, and what else went off that the row does not name. */
export const playFault = async (one: JourneyFault, from: number) => {
  const scene = sceneOf(one, from)
  if (scene === undefined) return undefined
  const met = await playScene(scene, typeof one.bend === "function" ? one.bend() : one.bend)
  const off = met.assertions.filter(({ outcome }) => ["failed", "warned", "error"].includes(outcome))
  return { scene, met, ...attributed(one, off) }
}

/** Plays each fault and says what came of it; true when each was found by its rule and nothing else went off. */
export const playFaults = async (
  starts: ReadonlyArray<string>,
  from: number,
  say: (text: string) => void
): Promise<boolean> => {
  const totals = { played: 0, exact: 0, caught: 0 }
  const rows = journeyFaults.filter(
    ({ id }) => starts.length === 0 || starts.some((start) => id.startsWith(start))
  )
  for (const [index, one] of rows.entries()) {
    const played = await playFault(one, from + index)
    if (played === undefined) continue
    const { caught, falsely, met, scene } = played
    const isExact = caught.length > 0 && falsely.length === 0
    totals.played += 1
    totals.caught += caught.length > 0 ? 1 : 0
    totals.exact += isExact ? 1 : 0
    const word = caught.length === 0 ? "NOT CAUGHT" : isExact ? "exact" : "caught"
    say(`${one.id} ${scene.name}: ${word} ${one.caughtBy} ${met.broken ?? ""}`.trimEnd())
    for (const { id, message, outcome, reason } of falsely)
      say(`  also ${id} ${outcome}: ${message ?? reason}`.slice(0, 400))
  }
  const { caught, exact, played } = totals
  say(`${played} strangers with a fault in a journey: ${caught} found by its rule, ${exact} exactly`)
  return exact === played
}
