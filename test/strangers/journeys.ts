/** Journeys of conformant strangers: which ones there are, and what is said of a partner that nothing may be said of. */
import { templates } from "../../src/journeys/catalogue/catalogue.ts"
import { type Drawn, lackingNothing, plainStranger, strangerOf } from "./draw.ts"
import { type Met, meetInJourney } from "./meeting.ts"
import { strangerRoles, strangerVersions } from "./partner/Freedoms.ts"

/** A journey with a stranger. */
export interface Scene {
  readonly name: string
  readonly templateId: string
  readonly drawn: Drawn
}

/** They wait for what nobody at a stranger does: a card is shown, a token or a price changes, credentials are renewed. */
const needsSomebody =
  /^(rfid-|renewed-by-|tariff-change|credit-cdr|token-push|partner-reads|charging-preferences)/

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

/** Those with the stranger of a seed, which has all modules. */
export const seededScenes = (seed: number): ReadonlyArray<Scene> =>
  scenesOf(lackingNothing(strangerOf(seed)), `seed ${seed}`)

/** Plays it; an EMSP has drivers, who act on what they are told of. */
export const playScene = ({ drawn, templateId }: Scene): Promise<Met> =>
  meetInJourney(drawn, { templateId, hasDrivers: drawn.role === "EMSP" })

/** Does the journey end without an act of a person at the partner? */
export const needsNobody = ({ templateId }: Scene): boolean => !needsSomebody.test(templateId)
