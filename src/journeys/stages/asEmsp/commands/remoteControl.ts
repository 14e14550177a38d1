/** Stages of a driver who starts and stops a charge from our app. */
import type { JourneyStage, Rule } from "../../../model/JourneyTemplate.ts"
import type { NoPlace, Place } from "../../../model/Place.ts"
import type { RunHistory } from "../../../model/RunHistory.ts"
import { catchUpOnSession, endedWhileAway, setOffByStart, setOffByStop } from "../../charge/catchUps.ts"
import { ourSession } from "../../charge/chargeFacts.ts"
import { appDriver, type Driver, referenceOf, tokenOf } from "../../charge/driver.ts"
import { chosenPlace, type Needed } from "../../charge/place.ts"
import { readStartBack, readStopBack } from "../../charge/readBacks.ts"
import { readsPlaceAgain } from "../../charge/takenBack.ts"
import { awaitResult, claimsEvse, commandAct, refused, unplaced } from "./commandResult.ts"
import { commandRules } from "./commandRules.ts"

/** Capabilities for a remote start. */
export const forRemoteStart: Needed = ["REMOTE_START_STOP_CAPABLE"]

/** The body of START_SESSION in the version's shape. */
const startBody = (history: RunHistory, driver: Driver, place: Place, responseUrl: string) => ({
  response_url: responseUrl,
  token: tokenOf(history, driver),
  location_id: place.locationId,
  evse_uid: place.evseUid,
  ...(place.connectorId === undefined || !history.profile.startSessionConnector
    ? {}
    : { connector_id: place.connectorId }),
  ...(history.profile.authorizationDetails ? { authorization_reference: referenceOf(history) } : {})
})

/** How a start differs from the usual one. */
interface Start {
  readonly driver?: Driver
  /** Capabilities of the free EVSE to start at; default: for a remote start. */
  readonly needed?: Needed
  /** Where to start instead: an EVSE that the run has already, or one that there is not. */
  readonly placed?: (history: RunHistory) => Place | NoPlace
  /** For a start that may be refused: the rules for its answer. A stage that is to go on after a broken one needs a `stopsIf`. */
  readonly expect?: ReadonlyArray<Rule>
}

/** Stage `start-session`: sends START_SESSION. */
export const startSession = ({
  driver = appDriver,
  expect,
  needed = forRemoteStart,
  placed
}: Start = {}): JourneyStage => ({
  id: "start-session",
  name: "Start the session",
  actor: "us",
  module: "commands",
  description:
    "Send START_SESSION for the chosen EVSE, with the token and, in versions that have it, an authorization_reference.",
  timeoutSeconds: 30,
  act: {
    ...commandAct("START_SESSION", (history, responseUrl) => {
      const place = placed === undefined ? chosenPlace(history, needed) : placed(history)
      return "none" in place ? unplaced(place) : startBody(history, driver, place, responseUrl)
    }),
    readBack: readStartBack
  },
  writes: true,
  idempotent: false,
  optionalForLater: false,
  ...(placed === undefined ? claimsEvse(needed) : {}),
  expect: expect ?? commandRules("start-session"),
  readsAgain: (history) => readsPlaceAgain(history, "start-session"),
  ...(expect === undefined ? { stopsIf: refused("start-session") } : {})
})

/** Stage `start-result`: the result of START_SESSION. */
export const startResult = awaitResult("start-result", "start-session", "The start's result")

/** Stage `stop-session`: sends STOP_SESSION. `sessionId`: the id of the session; undefined: there is none. */
export const stopping = (sessionId: (history: RunHistory) => string | undefined): JourneyStage => ({
  id: "stop-session",
  name: "Stop the session",
  actor: "us",
  module: "commands",
  description: "Send STOP_SESSION with the id of the session that the partner pushed.",
  timeoutSeconds: 30,
  act: {
    ...commandAct("STOP_SESSION", (history, responseUrl) => {
      const session_id = sessionId(history)
      if (session_id === undefined) return { unmet: "There is no session to stop" }
      return endedWhileAway(history)
        ? {
            unmet: "The session ended while we were away, before it could be stopped",
            ours: true,
            goesOn: true
          }
        : { response_url: responseUrl, session_id }
    }),
    readBack: readStopBack
  },
  writes: true,
  idempotent: false,
  optionalForLater: false,
  // A session that ran during an absence may be over by now, and a list may lag behind.
  expect: commandRules("stop-session", setOffByStart),
  setOffBy: setOffByStart,
  catchUp: catchUpOnSession,
  stopsIf: refused("stop-session")
})

/** Stage `stop-session` for the session that the partner pushed. */
export const stopSession = stopping((history) => ourSession(history)?.id)

/** Stage `stop-result`: the result of STOP_SESSION. */
export const stopResult = awaitResult("stop-result", "stop-session", "The stop's result", {
  setOffBy: setOffByStop,
  refusalSetOffBy: setOffByStart
})
