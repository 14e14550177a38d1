/** What a stranger is and holds: its parties, and the objects of each of its lists. */
import type { Chance } from "../chance.ts"
import type { Freedoms, StrangerVersion } from "../Freedoms.ts"
import { momentOf, stamp, tick } from "./dress.ts"
import type { Json } from "./validity.ts"

/** A party of the platform. */
export interface Identity {
  readonly country: string
  readonly party: string
  readonly name: string
}

/** What the makers of objects know. */
export interface Making {
  readonly version: StrangerVersion
  readonly freedoms: Freedoms
  readonly chance: Chance
  readonly parties: ReadonlyArray<Identity>
  readonly now: () => number
}

/** A DateTime so many seconds from now. */
export const moment = ({ freedoms, now, version }: Making, seconds: number): string =>
  stamp(tick(now() + seconds * 1000, freedoms, version), freedoms, version)

/** A DateTime of that moment. */
export const written = ({ freedoms, version }: Making, millis: number): string =>
  stamp(tick(millis, freedoms, version), freedoms, version)

/** An id in the stranger's own style: `kind` and `number` tell it from others. */
export const idFor = ({ chance, freedoms }: Making, kind: string, number: number): string => {
  if (freedoms.ids === "uuid") return chance.uuid()
  if (freedoms.ids === "marks") return `${kind}:${number}+a*${number}~B`
  if (freedoms.ids === "reserved") return `${kind}/${number} #a?${number}%41&=`
  return `${kind}${number}`
}

/** The id as it is named in a reference: in another letter case, where that was drawn. */
export const reference = ({ freedoms, version }: Making, id: string): string => {
  if (!freedoms.otherCase || version === "2.1.1") return id
  const lower = id.toLowerCase()
  return lower === id ? id.toUpperCase() : lower
}

/** The owner's fields, in versions that have them. */
export const owned = ({ version }: Making, { country, party }: Identity): Json =>
  version === "2.1.1" ? {} : { country_code: country, party_id: party }

/** When an object was last changed, in milliseconds since 1970. */
export const changedAt = (json: Json): number => momentOf(json["last_updated"]) ?? 0

/** A sum of money without floating noise. */
export const money = (amount: number): number => Math.round(amount * 10_000) / 10_000
