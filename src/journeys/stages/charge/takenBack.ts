/** Whether the partner took back the EVSE of the run before the run could use it: then nobody is to blame for a refusal. */
import type { Exchange } from "../../../../schema/Exchange.ts"
import { isEventOf } from "../../../../schema/LedgerEvent.ts"
import { isClientErrorCode } from "../../../../schema/ocpi/envelope.ts"
import { type JsonObject, objectIn, sameId, textIn } from "../../../findings/json.ts"
import { inWords } from "../../../findings/words.ts"
import type { Call } from "../../model/Act.ts"
import { answerOf, dataOf, intentOf, type RunHistory } from "../../model/RunHistory.ts"
import { misfit } from "../../model/rulings.ts"
import { commandResultsOf, ourSession, syncResultOf } from "./chargeFacts.ts"
import { evseIn, pushedStatuses } from "./evseStatus.ts"
import { readPlaces, startedPlace } from "./place.ts"

/** The status that the command of a stage gives its EVSE when it is carried out. */
const ownEffects: Readonly<Record<string, string>> = { reserve: "RESERVED", "start-session": "CHARGING" }

/** Statuses with which the EVSE can be used as the command of the stage asks; undefined: it is about no EVSE that was listed as free. */
function usableStatuses(history: RunHistory, stageId: string): ReadonlyArray<string> | undefined {
  const isAboutEvse = ["reserve", "start-session", "unlock"].includes(stageId)
  if (!isAboutEvse || listedEvse(history)?.["status"] !== "AVAILABLE") return undefined
  // An EVSE that the run has reserved is not free, and need not be.
  const isReserved = stageId === "start-session" && intentOf(history, "reserve") !== undefined
  return isReserved ? ["AVAILABLE", "RESERVED", "CHARGING"] : ["AVAILABLE"]
}

/** The EVSE of the run as it was listed when the run chose it. */
function listedEvse(history: RunHistory): JsonObject | undefined {
  const { evse_uid, location_id } = startedPlace(history)
  const location = readPlaces(history).find(({ id }) => sameId(id, location_id))
  return location === undefined ? undefined : evseIn(location, evse_uid)
}

/**
 * Why the refusal of a command breaks no rule: the partner has taken back its EVSE, which it had listed as AVAILABLE, before the run
 * could use it. It has pushed so, or its location says so, read again after the refusal; undefined: neither. `stageId`: the stage that
 * sent the command.
 */
export function takenBack(history: RunHistory, stageId: string): string | undefined {
  const usable = usableStatuses(history, stageId)
  if (usable === undefined || isUsed(history, stageId)) return undefined
  const sentAt = Date.parse(intentOf(history, stageId)?.startedAt ?? "")
  const ownEffect = ownEffectOf(history, stageId)
  const pushed = pushedStatuses(history).find(
    ({ at, status }) => !usable.includes(status) && (status !== ownEffect || at < sentAt)
  )
  if (pushed !== undefined) return `the partner has pushed the EVSE as ${pushed.status} meanwhile`
  const location = placeReadAgain(history)
  if (location === undefined) return undefined
  const { evse_uid } = startedPlace(history)
  const evse = evseIn(location, evse_uid)
  if (evse === undefined)
    return `the partner's location, read again, has no EVSE ${inWords(evse_uid)} any more`
  const status = textIn(evse["status"])
  const isOwn = status === ownEffect && saysOccupied(history)
  return status === undefined || usable.includes(status) || isOwn
    ? undefined
    : `the partner's location, read again, has the EVSE as ${status}`
}

/** Has the partner begun what it says that it has refused, so that the EVSE was not taken back, but used? */
const isUsed = (history: RunHistory, stageId: string): boolean =>
  stageId !== "unlock" &&
  (stageId === "reserve" || intentOf(history, "reserve") === undefined) &&
  ourSession(history) !== undefined

/** The status that may tell of our command alone: the partner had accepted it, and does not say that somebody else was there. */
function ownEffectOf(history: RunHistory, stageId: string): string | undefined {
  const isOccupied = commandResultsOf(history, stageId)[0]?.result === occupied
  return syncResultOf(history, stageId) === "ACCEPTED" && !isOccupied ? ownEffects[stageId] : undefined
}

const occupied = "EVSE_OCCUPIED"

/** Has the version a result that says so? */
const saysOccupied = ({ profile }: RunHistory): boolean =>
  misfit(profile, "CommandResult", { result: occupied }) === undefined

const placeAgain = "GET location again"

const readAgainIn = ({ events }: RunHistory): Exchange | undefined =>
  events.filter(isEventOf("exchange.completed")).findLast(({ exchange }) => exchange.operation === placeAgain)
    ?.exchange

/** The location of the run's EVSE, as it was read after a refusal; undefined: it was not, or could not be read. */
function placeReadAgain(history: RunHistory): JsonObject | undefined {
  const data = objectIn(dataOf(readAgainIn(history)))
  return sameId(data["id"], startedPlace(history)["location_id"]) ? data : undefined
}

/**
 * The request for the location of the EVSE at which the partner has not carried out the command of that stage, as its answer or its
 * result says; undefined: it has not refused it, why is known by then, or the location was read.
 */
export function readsPlaceAgain(history: RunHistory, stageId: string): Call | undefined {
  const locationId = textIn(startedPlace(history)["location_id"])
  return locationId === undefined ||
    readAgainIn(history) !== undefined ||
    usableStatuses(history, stageId) === undefined ||
    !isRefused(history, stageId) ||
    takenBack(history, stageId) !== undefined
    ? undefined
    : {
        module: "locations",
        interfaceRole: "SENDER",
        operation: placeAgain,
        method: "GET",
        path: [locationId]
      }
}

/** Has the partner refused the command of the stage, by its answer, by a status code 2xxx, or by its result? */
function isRefused(history: RunHistory, stageId: string): boolean {
  const code = answerOf(history, stageId)?.response?.ocpiStatusCode ?? 0
  const words = [syncResultOf(history, stageId), commandResultsOf(history, stageId)[0]?.result]
  return isClientErrorCode(code) || words.some((word) => word !== undefined && word !== "ACCEPTED")
}
