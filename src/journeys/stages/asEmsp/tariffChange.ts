/** Stages of a tariff change during a charge: the new tariff, and the charging period that names it. */

import { wasTaken } from "../../../findings/calledPath.ts"
import { type JsonObject, objectIn, objectsIn, sameId, textIn } from "../../../findings/json.ts"
import { inWords } from "../../../findings/words.ts"
import { cardWishes } from "../../../party/simulation/chargePoint/scriptedCards.ts"
import { placeIdsOf } from "../../../party/simulation/chargePoint/sessionFields.ts"
import type { JourneyStage } from "../../model/JourneyTemplate.ts"
import { lastSegment } from "../../model/partnerPushes.ts"
import { inboundOf, jsonOf, type RunHistory } from "../../model/RunHistory.ts"
import { misfit } from "../../model/rulings.ts"
import { catchUpOnSession, setOffByStart } from "../charge/catchUps.ts"
import { ourSession } from "../charge/chargeFacts.ts"
import { appDriver, type Driver } from "../charge/driver.ts"
import { connectorAsTold } from "../charge/evseStatus.ts"
import { expectsUpdate } from "../charge/expectedMessages.ts"
import { startedPlace } from "../charge/place.ts"

/** A driver whose connector's tariff a sandbox partner changes. */
export const repricedDriver: Driver = { ...appDriver, visualNumber: cardWishes.repriced }

const should = { strength: "should" } as const

/** Tariffs that were PUT and accepted since the session began, oldest first. */
function newTariffs(history: RunHistory): ReadonlyArray<JsonObject> {
  const since = ourSession(history)?.messages[0]?.exchange.startedAt
  return inboundOf(history)
    .filter(({ module, request }) => module === "tariffs" && request.method === "PUT")
    .filter(wasTaken)
    .filter(({ startedAt }) => since !== undefined && Date.parse(startedAt) >= Date.parse(since))
    .map(({ request }) => ({ id: lastSegment(request.url), ...objectIn(jsonOf(request)) }))
}

/** The tariff ids of the connector in use, as it was last pushed or read. */
function tariffIdsOfConnector(history: RunHistory): ReadonlyArray<unknown> {
  const { connectorNames } = history.profile
  const { connector } = placeIdsOf(history.profile, ourSession(history)?.state ?? {})
  const ids = connectorAsTold(history, connector).flatMap((told) => {
    const named = told[connectorNames.tariffs]
    return named === undefined ? [] : [[named].flat()]
  })
  return ids.at(-1) ?? []
}

/** The tariffs that the connector names since it was read, and that were not pushed. */
const namedOnly = (history: RunHistory): ReadonlyArray<string> => {
  const { tariffs } = history.profile.connectorNames
  const { connector } = placeIdsOf(history.profile, ourSession(history)?.state ?? {})
  const [first] = connectorAsTold(history, connector)
  const before = [first?.[tariffs]].flat()
  return tariffIdsOfConnector(history)
    .filter((id) => !before.some((one) => sameId(one, id)))
    .filter((id) => !newTariffs(history).some((tariff) => sameId(tariff["id"], id)))
    .map((id) => `The connector names tariff ${inWords(id)}, which was not pushed`)
}

/** The new tariff that the run's connector names; undefined: none yet. */
const tariffInForce = (history: RunHistory): JsonObject | undefined =>
  newTariffs(history).findLast(({ id }) => tariffIdsOfConnector(history).some((one) => sameId(one, id)))

/** Stage `tariff-change`: waits for the tariff and the connector that names it. */
export const tariffChanged: JourneyStage = {
  id: "tariff-change",
  name: "The tariff changes",
  actor: "partner",
  module: "tariffs",
  description: "While the session runs, a person at the partner changes the tariff of the connector.",
  timeoutSeconds: 600,
  act: {
    act: "await",
    instruction: (history) => {
      const { evse_uid, location_id } = startedPlace(history)
      const { tariffs } = history.profile.connectorNames
      return `While session ${ourSession(history)?.id ?? ""} runs, give the connector in use at EVSE ${inWords(evse_uid)} of location ${inWords(location_id)} another tariff: the partner must PUT that tariff to us, and then the connector (or its EVSE or location) with ${tariffs} that name it.`
    },
    look: (history) => ({
      found: tariffInForce(history) !== undefined,
      nearMisses: [
        ...namedOnly(history),
        ...newTariffs(history).map(
          ({ id }) => `Tariff ${inWords(id)} was pushed, and the connector does not name it`
        )
      ]
    })
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  // Pushes of tariffs and locations during an absence are not repeated.
  setOffBy: setOffByStart,
  expect: [
    {
      id: "tariff-change.received",
      begunByPerson: true,
      title: "The partner pushes the new tariff while the session runs",
      ...should,
      reference: "mod_tariffs, Receiver Interface, PUT Method",
      setOffBy: setOffByStart,
      judge: (history) =>
        newTariffs(history).length > 0
          ? undefined
          : {
              message: "The partner pushed no tariff in time",
              expected: "one PUT to tariffs",
              actual: "none"
            }
    },
    {
      id: "tariff-change.shape",
      title: "The new tariff is a valid Tariff object",
      strength: "must",
      reference: "mod_tariffs, Tariff Object",
      judge: (history) => {
        const tariff = newTariffs(history).at(-1)
        return tariff === undefined
          ? { notTested: "The partner pushed no tariff" }
          : misfit(history.profile, "Tariff", tariff)
      }
    },
    {
      id: "tariff-change.connector",
      title: "The partner pushes the connector with the new tariff",
      ...should,
      reference: "mod_locations, Connector Object",
      setOffBy: setOffByStart,
      judge: (history) => {
        const told = newTariffs(history)
        if (told.length === 0) return { notTested: "The partner pushed no tariff" }
        return tariffInForce(history) !== undefined
          ? undefined
          : {
              message: "The partner did not push the connector with the new tariff in time",
              pointer: `/${history.profile.connectorNames.tariffs}`,
              expected: told.map(({ id }) => inWords(id)).join(" or "),
              actual: tariffIdsOfConnector(history).join(", ") || "nothing"
            }
      }
    }
  ]
}

const periodsOfSession = (history: RunHistory) => objectsIn(ourSession(history)?.state["charging_periods"])

/** Does a charging period of the session name that tariff? */
const isCharged = (history: RunHistory): boolean => {
  const id = tariffInForce(history)?.["id"]
  return periodsOfSession(history).some(({ tariff_id }) => sameId(tariff_id, id))
}

/** Stage `new-period`: waits for a charging period that names the new tariff, in versions whose periods name one. */
export const chargedAnew: JourneyStage = {
  id: "new-period",
  name: "The new tariff counts",
  actor: "partner",
  module: "sessions",
  description: "The partner begins a charging period that names the new tariff.",
  timeoutSeconds: 300,
  act: {
    act: "await",
    instruction: (history) =>
      `The partner must update session ${ourSession(history)?.id ?? ""} with a charging period whose tariff_id is ${inWords(tariffInForce(history)?.["id"] ?? "that of the new tariff")}.`,
    look: (history) => ({
      found:
        !history.profile.periodTariff ||
        tariffInForce(history) === undefined ||
        isCharged(history) ||
        ourSession(history)?.state["status"] === "COMPLETED",
      nearMisses: []
    }),
    expects: expectsUpdate((history) => {
      const tariffId = textIn(tariffInForce(history)?.["id"])
      return tariffId === undefined ? {} : { tariffId }
    })
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  setOffBy: setOffByStart,
  catchUp: catchUpOnSession,
  expect: [
    {
      id: "new-period.tariff",
      title: "The partner adds a charging period that names the new tariff",
      // The price at the start of the session may be guaranteed to its end.
      ...should,
      reference: "mod_cdrs, ChargingPeriod class",
      setOffBy: setOffByStart,
      judge: (history) => {
        const tariff = tariffInForce(history)
        if (!history.profile.periodTariff) return { notTested: "Periods of this version name no tariff" }
        if (tariff === undefined) return { notTested: "No new tariff is in force" }
        return isCharged(history)
          ? undefined
          : {
              message: "The partner sent no charging period with the new tariff in time",
              pointer: "/charging_periods",
              expected: inWords(tariff["id"]),
              actual: [...new Set(periodsOfSession(history).map(({ tariff_id }) => inWords(tariff_id)))].join(
                ", "
              )
            }
      }
    }
  ]
}
