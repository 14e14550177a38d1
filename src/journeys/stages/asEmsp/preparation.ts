/** Stages before a charge: finding an EVSE, and pushing the driver's token. */
import { textIn } from "../../../findings/json.ts"
import type { JourneyStage } from "../../model/JourneyTemplate.ts"
import { listGoesOn } from "../../model/RunHistory.ts"
import { appDriver, type Driver } from "../charge/driver.ts"
import { chosenPlace, type Needed } from "../charge/place.ts"
import { pushTokenRules, readLocationsRules } from "./commands/commandRules.ts"
import { keptToken, tokenPut } from "./tokenPut.ts"

/** Stage `read-locations`: reads locations, and ends the run if no EVSE has what is needed. */
export const readLocations = (needed: Needed): JourneyStage => ({
  id: "read-locations",
  name: "Read locations",
  actor: "us",
  module: "locations",
  description: `Read the partner's locations, and pick an EVSE that is ${["AVAILABLE", ...needed].join(" and ")}.`,
  timeoutSeconds: 30,
  act: {
    act: "exchange",
    sends: "GET locations",
    call: ({ inputs }) => {
      const named = textIn(inputs["locationId"])
      return {
        module: "locations",
        interfaceRole: "SENDER",
        operation: named === undefined ? "list" : "GET location",
        method: "GET",
        ...(named === undefined ? { query: { limit: "20" } } : { path: [named] })
      }
    },
    readsOn: (history) => "none" in chosenPlace(history, needed)
  },
  writes: false,
  idempotent: true,
  optionalForLater: false,
  looksForEvse: true,
  expect: readLocationsRules,
  stopsIf: (history) => {
    const place = chosenPlace(history, needed)
    if (!("none" in place)) return undefined
    return place.ours === true || listGoesOn(history, "read-locations") ? { ours: place.none } : place.none
  }
})

/** Stage `push-token`: PUT of the driver's token. */
export const tokenPush = (driver: Driver): JourneyStage => ({
  id: "push-token",
  name: "Push the token",
  actor: "us",
  module: "tokens",
  description: "PUT the driver's token: a token of our app that only this run uses.",
  timeoutSeconds: 30,
  act: { ...tokenPut(driver), keeps: (history) => [keptToken(history, driver)] },
  writes: true,
  idempotent: true,
  // A partner must accept a command's token without looking it up, so the run can do without this stage.
  optionalForLater: true,
  expect: pushTokenRules("push-token")
})

/** Stage `push-token` for a driver who starts from our app. */
export const pushToken = tokenPush(appDriver)
