/** An object and its place in a list, what tells it apart from others, and when it was changed. */

import type { BlockedBy } from "../../../../../schema/Assertion.ts"
import { dateTimeMillis } from "../../../../../schema/ocpi/DateTime.ts"
import type { VersionProfile } from "../../../../../schema/ocpi/VersionProfile.ts"
import { itemsOf } from "../../../../findings/answers.ts"
import { indexed, isObject, type JsonObject } from "../../../../findings/json.ts"
import { shown } from "../../../../findings/words.ts"
import type { Answered, Evidence } from "../../../model/Evidence.ts"

/** An object, and where it stands in which answer. */
export interface Placed {
  readonly seen: Answered
  readonly pointer: string
  readonly json: JsonObject
  /** It was pushed to us, as a whole or in parts: its schema is judged by the checks of pushes. */
  readonly pushed?: true
  /** By `flawKey`, schema flaws that a check of pushes reports of the same object: which, and the push. */
  readonly reported?: ReadonlyMap<string, Pick<BlockedBy, "check" | "exchangeId">>
}

/** The objects on those pages of a list, in their order. */
export const placedIn = (pages: ReadonlyArray<Answered>): ReadonlyArray<Placed> =>
  pages.flatMap((seen) =>
    (itemsOf(seen) ?? []).flatMap((json, index) =>
      isObject(json) ? [{ seen, pointer: `/data/${index}`, json }] : []
    )
  )

const byId = new WeakMap<ReadonlyArray<Placed>, (id: unknown) => Placed | undefined>()

/** The first object with that `id`. A list is indexed when it is first searched: it may be long, and so may be what refers to it. */
export const withId = (items: ReadonlyArray<Placed>, id: unknown): Placed | undefined => {
  const known = byId.get(items) ?? indexed(items, ({ json }) => [json["id"]])
  byId.set(items, known)
  return known(id)
}

/** What tells the objects of a list apart: owner and id; of a token its uid and type. */
export const keyIn = ({ country_code, id, party_id, type, uid }: JsonObject, { profile }: Evidence): string =>
  idKey([country_code ?? null, party_id ?? null, id ?? uid, uid === undefined ? null : type], profile)

/** Ids are compared without regard to case where the version's ids are CiStrings. */
export const idKey = (value: unknown, profile: VersionProfile): string =>
  profile.credentialsRoles ? shown(value).toLowerCase() : shown(value)

/** `last_updated` of an object in milliseconds since 1970; undefined if it has none. */
export const stampOf = (json: JsonObject): number | undefined => dateTimeMillis(json["last_updated"])
