/** Stages in which the partner sends us, the CPO, commands for a place of ours: its driver starts and stops a charge. */

import type { Exchange } from "../../../../schema/Exchange.ts"
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import type { JsonObject } from "../../../findings/json.ts"
import { objectIn, sameId } from "../../../findings/json.ts"
import { inWords } from "../../../findings/words.ts"
import { readRouting } from "../../../ocpi/routing.ts"
import { type Authorized, authorizedBy } from "../../../party/simulation/chargePoint/chargingObjects.ts"
import type { ServeAct } from "../../model/Act.ts"
import type { JourneyStage, Rule, Ruling } from "../../model/JourneyTemplate.ts"
import { isPartners, jsonOf, type RunHistory } from "../../model/RunHistory.ts"
import { servedCommand } from "../../model/served.ts"
import { sessionIdOf } from "./ourCharge.ts"
import { freshId } from "./ourPlace.ts"

const checkId = "JRN-012"

const startAct: Pick<ServeAct, "command" | "isOurs"> = {
  command: "START_SESSION",
  isOurs: (history, { evse_uid, location_id }) =>
    sameId(location_id, freshId(history, "L")) &&
    (evse_uid === undefined || sameId(evse_uid, freshId(history, "E")))
}
const stopAct: Pick<ServeAct, "command" | "isOurs"> = {
  command: "STOP_SESSION",
  isOurs: (history, { session_id }) => sameId(session_id, sessionIdOf(history))
}

/** The START_SESSION that we carried out; undefined: none came. */
export const startServed = (history: RunHistory): Exchange | undefined =>
  servedCommand(history, "serve-start", startAct)
/** The STOP_SESSION that we carried out; undefined: none came. */
export const stopServed = (history: RunHistory): Exchange | undefined =>
  servedCommand(history, "serve-stop", stopAct)

/** The driver that the START_SESSION names. */
export function commandedDriver(history: RunHistory): Authorized | undefined {
  const command = startServed(history)
  return command === undefined ? undefined : authorizedBy(history.profile, objectIn(jsonOf(command.request)))
}

const came = (
  stage: string,
  title: string,
  served: (history: RunHistory) => Exchange | undefined,
  what: string
): Rule => ({
  id: `${stage}.came`,
  begunByPerson: true,
  title,
  strength: "must",
  reference: "mod_commands, Receiver Interface, POST Method",
  checkId,
  judge: (history) =>
    served(history) === undefined
      ? { message: `The partner sent no valid ${what} in time`, expected: what, actual: "none that is valid" }
      : undefined
})

const accepted: NonNullable<ServeAct["result"]> = () => ({ body: { result: "ACCEPTED" }, afterSeconds: 1 })

/** A response_url for the example of a command. */
const exampleUrl = (command: string) => `https://your-system.example/ocpi/commands/${command}/1`

function exampleToken({
  createdAt,
  profile,
  them = { countryCode: "XX", partyId: "XXX" }
}: RunHistory): JsonObject {
  return {
    ...(profile.ownerFields ? { country_code: them.countryCode, party_id: them.partyId } : {}),
    uid: "EXAMPLE",
    type: profile.appToken,
    [profile.contract]: `${them.countryCode}-${them.partyId}-C12345678`,
    issuer: them.partyId,
    valid: true,
    whitelist: "NEVER",
    last_updated: dateTimeOf(Date.parse(createdAt))
  }
}

const named = ({ country_code, party_id }: JsonObject) => `${inWords(country_code)}-${inWords(party_id)}`

const notOfPartner = (history: RunHistory, token: JsonObject): Ruling =>
  isPartners(history, token) === false
    ? {
        message: "The token belongs to a party that is not the partner's",
        pointer: "/token/party_id",
        expected: (history.theirParties ?? [history.them])
          .flatMap((one) => (one === undefined ? [] : `${one.countryCode}-${one.partyId}`))
          .join(", "),
        actual: named(token)
      }
    : undefined

/** A hub passes commands on for parties that it need not name: OCPI-from is the one that has sent the command. */
function notOfSender(history: RunHistory, token: JsonObject): Ruling {
  const from = readRouting(startServed(history)?.request.headers ?? {}).from
  if (from === undefined || (history.them !== undefined && sameId(from.partyId, history.them.partyId)))
    return {
      unobservable:
        "The partner is a hub, and OCPI-from of the command does not name the party behind it that has sent the command"
    }
  return isPartners({ them: from }, token) === true
    ? undefined
    : {
        message: "The token belongs to another party than the one in OCPI-from, which has sent the command",
        pointer: "/token/party_id",
        expected: `${from.countryCode}-${from.partyId}`,
        actual: named(token),
        strength: "should"
      }
}

/** Stage `serve-start`: the partner starts a charge at our EVSE. */
export const serveStart: JourneyStage = {
  id: "serve-start",
  name: "The partner starts",
  actor: "partner",
  module: "commands",
  description:
    "The partner sends START_SESSION for our EVSE; we accept it, and our charge point starts the charge.",
  timeoutSeconds: 300,
  act: {
    act: "serve",
    ...startAct,
    answer: () => "ACCEPTED",
    result: accepted,
    instruction: (history) =>
      `Start a charge from the partner's app, or send START_SESSION, at location ${freshId(history, "L")}, EVSE ${freshId(history, "E")}; it was just pushed.`,
    expects: (history) => ({
      method: "POST",
      module: "commands",
      path: ["START_SESSION"],
      body: {
        response_url: exampleUrl("START_SESSION"),
        token: exampleToken(history),
        location_id: freshId(history, "L"),
        evse_uid: freshId(history, "E")
      }
    })
  },
  writes: true,
  idempotent: false,
  optionalForLater: false,
  expect: [
    came("serve-start", "The partner starts a charge at our EVSE", startServed, "START_SESSION for our EVSE"),
    {
      id: "serve-start.token",
      title: "The command's token belongs to a party of the partner",
      strength: "must",
      reference: "mod_commands, StartSession Object",
      judge: (history) => {
        const driver = commandedDriver(history)
        if (driver === undefined) return { notTested: "There was no command" }
        if (!history.profile.ownerFields || history.them === undefined) return undefined
        return history.throughHub === true
          ? notOfSender(history, driver.token)
          : notOfPartner(history, driver.token)
      }
    }
  ]
}

/** Stage `serve-stop`: the partner stops the charge. */
export const serveStop: JourneyStage = {
  id: "serve-stop",
  name: "The partner stops",
  actor: "partner",
  module: "commands",
  description: "The partner sends STOP_SESSION with the id of the session that we pushed.",
  timeoutSeconds: 300,
  act: {
    act: "serve",
    ...stopAct,
    answer: () => "ACCEPTED",
    result: accepted,
    instruction: (history) =>
      `Stop the charge from the partner's app, or send STOP_SESSION, for session ${sessionIdOf(history)}.`,
    expects: (history) => ({
      method: "POST",
      module: "commands",
      path: ["STOP_SESSION"],
      body: { response_url: exampleUrl("STOP_SESSION"), session_id: sessionIdOf(history) }
    })
  },
  writes: true,
  idempotent: false,
  optionalForLater: true,
  expect: [
    came(
      "serve-stop",
      "The partner stops the session by the id that we pushed",
      stopServed,
      "STOP_SESSION for our session"
    )
  ]
}
