/** Where a run charges at the partner. */
import { isEventOf, type LedgerEventOf } from "../../../schema/LedgerEvent.ts"
import { sameId } from "../../findings/json.ts"
import type { RunHistory } from "./RunHistory.ts"

/** The ids of an EVSE of the partner. */
export interface Place {
  readonly locationId: string
  readonly evseUid: string
  readonly connectorId: string | undefined
}

/** Why there is none. `ours`: because other runs of ours have those that there are. */
export interface NoPlace {
  readonly none: string
  readonly ours?: true
}

/** An EVSE that another open run of the connection has. */
export interface ClaimedEvse extends Omit<Place, "connectorId"> {
  readonly runId: string
}

type StageStart = NonNullable<LedgerEventOf<"stage.started">["data"]>

const startsOf = ({ events }: RunHistory): ReadonlyArray<StageStart> =>
  events.filter(isEventOf("stage.started")).flatMap(({ data }) => data ?? [])

/** The EVSE that the run has; undefined: it has none yet, or is of a release that kept none. */
export function keptPlace(history: RunHistory): Place | undefined {
  const place = startsOf(history).findLast((start) => start.place !== undefined)?.place
  return place === undefined ? undefined : { connectorId: undefined, ...place }
}

/** Which of the claims is of that EVSE. */
export const holderOf = <Claim extends ClaimedEvse>(
  { evseUid, locationId }: Pick<Place, "evseUid" | "locationId">,
  claims: ReadonlyArray<Claim>
): Claim | undefined =>
  claims.find((one) => sameId(evseUid, one.evseUid) && sameId(locationId, one.locationId))

/** The EVSEs of other open runs, as they were when the run last looked. */
export const claimedByOthers = (history: RunHistory): ReadonlyArray<ClaimedEvse> =>
  startsOf(history).findLast((start) => start.claimed !== undefined)?.claimed ?? []
