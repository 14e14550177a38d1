/** Journeys of conformant strangers: which ones there are, and what is said of a partner that nothing may be said of. */
import { templates } from "../../src/journeys/catalogue/catalogue.ts"
import { type Drawn, lackingNothing, plainStranger, strangerOf } from "./draw.ts"
import { type Met, meetInJourney } from "./meeting.ts"
import type { Bend } from "./partner/Bend.ts"
import { strangerRoles, strangerVersions } from "./partner/Freedoms.ts"

/** A journey with a stranger. */
export interface Scene {
  readonly name: string
  readonly templateId: string
  readonly drawn: Drawn
}

/** They wait for what nobody at a stranger does: a price changes, a CDR is taken back. */
const needsSomebody = /^(tariff-change|credit-cdr)/

/** What a stranger does in every minute, where a journey waits for it: a token of its own changes, and it reads our lists. */
const isRoutine = /^(token-push|partner-reads)/

/** Every journey that begins with a registered connection and that this stranger can be met in. */
const scenesOf = (drawn: Drawn, name: string): ReadonlyArray<Scene> =>
  templates
    .filter(
      ({ begins, ourRole, supportedVersions }) =>
        begins === undefined && ourRole !== drawn.role && supportedVersions.includes(drawn.version)
    )
    .map(({ id }) => ({ name: `${name} ${drawn.version} ${drawn.role} ${id}`, templateId: id, drawn }))

/** Those with the plainest stranger of each version and role. */
export const plainScenes: ReadonlyArray<Scene> = strangerVersions.flatMap((version) =>
  strangerRoles.flatMap((role) => scenesOf(plainStranger(version, role), "plain"))
)

/** Those with the stranger of a seed. */
export const seededScenes = (seed: number): ReadonlyArray<Scene> =>
  scenesOf(lackingNothing(strangerOf(seed)), `seed ${seed}`)

/** Plays it; people act on what the stranger is told of. `bend`: what it does wrong. */
export const playScene = ({ drawn, templateId }: Scene, bend?: Bend): Promise<Met> => {
  const { freedoms, role, version } = drawn
  const routine = isRoutine.test(templateId) ? { routineSeconds: 20 } : {}
  const order = { templateId, hasDrivers: true, renews: templateId.startsWith("renewed-by-") }
  return meetInJourney({ role, version, freedoms: { ...freedoms, ...routine } }, order, bend)
}

/** Does the journey end without an act of a person at the partner? */
export const needsNobody = ({ templateId }: Scene): boolean => !needsSomebody.test(templateId)
