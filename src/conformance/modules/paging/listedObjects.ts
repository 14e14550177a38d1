/** Checks of the owners of listed objects, and that pushed changes are listed. */

import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { itemsOf, nextOf } from "../../../findings/answers.ts"
import { at, finding, unless } from "../../../findings/finding.ts"
import { objectIn } from "../../../findings/json.ts"
import { shown } from "../../../findings/words.ts"
import type { Check } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { isCut, notAllKept } from "../shared/allCalls.ts"
import { isHub } from "../shared/hubs.ts"
import { pagesOf } from "../shared/lists.ts"
import { isChanged, newestChange } from "./changesProbes.ts"
import { eachList, pagingBase, windowReference } from "./eachList.ts"
import { filtered } from "./filteredLists.ts"

/** The party that the object names; empty where it names none. */
const ownerIn = (json: unknown): ReadonlyArray<string> => {
  const { country_code, party_id } = objectIn(json)
  return typeof country_code === "string" && typeof party_id === "string"
    ? [`${country_code}-${party_id}`]
    : []
}

/** Is the object listed after the pushes with a last_updated before that of the change? */
const isListedOlder = (
  evidence: Evidence,
  list: string,
  change: NonNullable<ReturnType<typeof newestChange>>
): boolean =>
  evidence
    .answered(`${list}.after`)
    .flatMap((seen) => itemsOf(seen) ?? [])
    .some(
      (json) =>
        isChanged(json, change) &&
        (dateTimeMillis(objectIn(json)["last_updated"]) ?? Number.POSITIVE_INFINITY) < change.millis
    )

/** Judge whose objects a list has, and whether it has those that were pushed (transport_and_format, Pagination). */
export const listedObjectsChecks: ReadonlyArray<Check> = [
  {
    ...pagingBase,
    id: "PAGE-027",
    versions: versionsWhere(({ ownerFields }) => ownerFields),
    title: "Lists: every object belongs to a party of the credentials",
    strength: "should",
    reference: "transport_and_format, Client Owned Object Push; credentials, CredentialsRole class",
    sends: "GET each list page by page",
    passes: "country_code and party_id of each object are those of one of the partner's roles",
    hint: "Name in your credentials every party whose objects you serve.",
    // Tokens are all that an EMSP lists.
    requires: ({ role }) => (role === "EMSP" ? [{ check: "TOK-008", orWarned: true }] : []),
    ...eachList(["list", "crawl"], (list, evidence) => {
      const { parties } = evidence.party.counterpart
      if (parties === null || parties.length === 0) return { skip: "the partner's parties are not known" }
      // A hub lists the objects of the parties that are connected to it (transport_and_format, GET All via Hubs).
      if (isHub(evidence))
        return {
          skip: "the partner is a hub, whose list has the objects of other parties",
          outcome: "not_applicable"
        }
      const names = new Set(
        parties.map(({ countryCode, partyId }) => `${countryCode}-${partyId}`.toUpperCase())
      )
      const owned = pagesOf(evidence, list).flatMap((seen) =>
        (itemsOf(seen) ?? []).flatMap((json, index) => ownerIn(json).map((owner) => ({ seen, index, owner })))
      )
      if (owned.length === 0) return { skip: "no object names its owner" }
      return owned
        .filter(({ owner }) => !names.has(owner.toUpperCase()))
        .map(({ index, owner, seen }) =>
          at(
            seen,
            `/data/${index}/party_id`,
            `${list}: the object is of a party that the credentials do not name`,
            {
              expected: shown([...names]),
              actual: owner
            }
          )
        )
    })
  },
  {
    ...pagingBase,
    id: "PAGE-028",
    // The partner changes objects while the run listens, and because of what the run wrote.
    phase: "watch",
    title: "Lists: a change that was pushed is found with date_from",
    reference: windowReference,
    sends: "GET each list with date_from a second before the newest change that the partner sent to us",
    passes: "the changed object is in the list",
    hint: "Update last_updated with every change of an object, and list and push the same value.",
    ifGathered: ({ role }) => (role === "CPO" ? ["locations.after"] : []),
    ...eachList(["changed"], (list, evidence) => {
      const change = newestChange(evidence, list)
      const found = filtered(evidence, `${list}.changed`)
      if ("skip" in found) return found
      const isThere = found.items.some(({ json }) => isChanged(json, change))
      const isLong = found.pages.some((page) => nextOf(page) !== undefined)
      if (change === undefined || (isLong && !isThere)) return { skip: "the list goes on on further pages" }
      // last_updated of the location did not follow that of its EVSE, so that no date_from can find it.
      if (!isThere && change.isPart && isListedOlder(evidence, list, change))
        return { skip: `${change.id} is listed as it was before that change`, by: "LOC-045" }
      // The object may have been deleted by a call that is not kept.
      if (!isThere && isCut(evidence, "inbound", list)) return { skip: notAllKept, leavesOpen: true }
      return unless(isThere, () =>
        finding(
          found.pages[0],
          `${list}: ${change.id}, whose change was sent to us, is not in the list since then`,
          { expected: change.id, actual: `${found.items.length} other objects` }
        )
      )
    })
  }
]
