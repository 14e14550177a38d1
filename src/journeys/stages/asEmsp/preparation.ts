/** What comes before a charge: finding an EVSE, and making the driver's token known. */
import { textIn } from "../../../findings/json.ts"
import type { JourneyStage } from "../../model/JourneyTemplate.ts"
import { appDriver, type Driver } from "../charge/driver.ts"
import { type Needed, placeOf } from "../charge/place.ts"
import { pushTokenRules, readLocationsRules } from "./commandRules.ts"
import { keptToken, tokenPut } from "./tokenPut.ts"

/** Reads locations, and ends the run where none of them has an EVSE that can do what is needed. */
export const readLocations = (needed: Needed): JourneyStage => ({
  id: "read-locations",
  name: "Read locations",
  actor: "us",
  module: "locations",
  description: `Read where one can charge, and pick an EVSE that is ${["AVAILABLE", ...needed].join(" and ")}.`,
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
    }
  },
  writes: false,
  idempotent: true,
  optionalForLater: false,
  expect: readLocationsRules,
  stopsIf: (history) => {
    const place = placeOf(history, needed)
    return "none" in place ? place.none : undefined
  }
})

/** Puts the driver's token into the partner's list. */
export const tokenPush = (driver: Driver): JourneyStage => ({
  id: "push-token",
  name: "Push the token",
  actor: "us",
  module: "tokens",
  description:
    "Put the driver's token into the partner's list: a token of our app that is used in this run only.",
  timeoutSeconds: 30,
  act: { ...tokenPut(driver), keeps: (history) => [keptToken(history, driver)] },
  writes: true,
  idempotent: true,
  // A partner must take the token that comes with the command without looking it up.
  optionalForLater: true,
  expect: pushTokenRules("push-token")
})

/** That of a driver who starts from our app. */
export const pushToken = tokenPush(appDriver)
