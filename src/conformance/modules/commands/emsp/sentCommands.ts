/** The commands that an EMSP sends to us (mod_commands): their bodies, and what our answers to them say. */

import { ocpiStatus } from "../../../../../schema/ocpi/envelope.ts"
import type { ObjectName } from "../../../../../schema/ocpi/VersionProfile.ts"
import { versionNumbers, versionsWhere } from "../../../../../schema/ocpi/versions.ts"
import { pathSegments } from "../../../../findings/calledPath.ts"
import { mismatches } from "../../../../findings/expectations.ts"
import type { Finding } from "../../../../findings/Flaw.ts"
import { finding, unless, when } from "../../../../findings/finding.ts"
import { numberFrom, objectIn, sameId, textIn } from "../../../../findings/json.ts"
import { parseJson } from "../../../../findings/readJson.ts"
import { flawedPlaces } from "../../../../findings/violations/flawedPlaces.ts"
import { inWords, shown } from "../../../../findings/words.ts"
import type { Check } from "../../../model/Check.ts"
import type { Evidence, Observation } from "../../../model/Evidence.ts"
import { observed } from "../../../model/observed.ts"
import { needsConnector } from "../../charge/publishedSite.ts"
import { emspPartiesOf } from "../../shared/emspParties.ts"
import { isLocalHttp } from "../../shared/localHttp.ts"

const base = {
  module: "commands",
  versions: versionNumbers,
  roles: ["EMSP"],
  mode: "OBS",
  strength: "must",
  reference: "mod_commands, Object description",
  sends: "no request: the check looks at the commands that the partner sends to us",
  needs: () => ["inbound"]
} as const

const provoke = "the partner has sent us no such command: start, reserve or unlock from its app or console"

/** The name of the command that a call sends; undefined if it sends none. */
const commandOf = ({ exchange }: Observation): string | undefined =>
  exchange.module === "commands" && exchange.request.method === "POST"
    ? pathSegments(exchange.request.url).at(-1)
    : undefined

/** `data.result` and `status_code` of our answer. */
const ourAnswer = ({ exchange }: Observation) => {
  const json = objectIn(parseJson(exchange.response?.body ?? ""))
  return { code: numberFrom(json["status_code"]), result: textIn(objectIn(json["data"])["result"]), json }
}

const aboutCommand = (
  seen: Observation,
  message: string,
  values: { readonly expected: string; readonly actual: unknown; readonly pointer?: string }
): Finding =>
  finding(seen, `${commandOf(seen) ?? "a command"}: ${message}`, {
    expected: values.expected,
    actual: shown(values.actual),
    ...(values.pointer === undefined ? {} : { pointer: values.pointer })
  })

/** Judges each command by itself. */
const onCommands = (
  is: (command: string, seen: Observation, evidence: Evidence) => boolean,
  judge: (seen: Observation, evidence: Evidence) => ReadonlyArray<Finding>,
  what = provoke
) =>
  observed({
    source: "inbound",
    provoke: what,
    matches: (seen, evidence) => {
      const command = commandOf(seen)
      return command !== undefined && is(command, seen, evidence)
    },
    findings: (calls, evidence) => calls.flatMap((seen) => judge(seen, evidence))
  })

/** Places of the command that break its schema. */
const isFlawedIn = (seen: Observation, { profile }: Evidence) =>
  flawedPlaces(profile.objects[commandOf(seen) as ObjectName], seen.json)

const hasToken = (command: string) => command === "START_SESSION" || command === "RESERVE_NOW"
const any = () => true

/** Is it the id of an object that a run of ours has pushed? It begins with the mark of the run, and what we serve does not have it. */
const isOfRun = (id: unknown): boolean => /^TST-[0-9A-Z]{6}-/i.test(textIn(id) ?? "")

/** The fields of a command that say where and what it is about. */
const placeFields = ["location_id", "evse_uid", "connector_id", "session_id"] as const

/** Those of them that the command has: the rest of its body is not what the finding is about. */
const placeIn = (seen: Observation) => {
  const body = objectIn(seen.json)
  return Object.fromEntries(
    placeFields.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]]))
  )
}

const refers = (seen: Observation): ReadonlyArray<Finding> => {
  const { code, json, result } = ourAnswer(seen)
  const { location_id, session_id } = objectIn(seen.json)
  const isUnknown =
    (code === ocpiStatus.unknownLocation && !isOfRun(location_id)) ||
    (result === "UNKNOWN_SESSION" && !isOfRun(session_id)) ||
    (result === "REJECTED" && /has no (EVSE|connector)/.test(JSON.stringify(json)))
  return when(isUnknown, () =>
    aboutCommand(seen, "the command names a location, EVSE, connector or session that we do not have", {
      expected: "ids of our locations, EVSEs, connectors and sessions",
      actual: placeIn(seen)
    })
  )
}

/** Our answer says that the EVSE needs a connector_id, or the command has a connector_id without evse_uid. */
const lacksPlace = (seen: Observation): boolean => {
  const { connector_id, evse_uid } = objectIn(seen.json)
  return (
    (connector_id !== undefined && evse_uid === undefined) ||
    /needs a connector_id/.test(seen.exchange.response?.body ?? "")
  )
}

/** The checks of commands that an EMSP sends. */
export const sentCommandsChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "CMD-101",
    title: "Commands: each body is valid for its command and version",
    passes: "each body fits the command and the version: the type of reservation_id, a whole Token",
    hint: "Put the whole Token into START_SESSION and RESERVE_NOW, as the version has it.",
    judge: onCommands(any, (seen, { profile }) => {
      const command = commandOf(seen) ?? ""
      const schema = profile.commands.includes(command) ? profile.objects[command as ObjectName] : undefined
      return schema === undefined
        ? [
            aboutCommand(seen, "the version has no such command", {
              expected: profile.commands.join(", "),
              actual: command
            })
          ]
        : mismatches(seen, schema, seen.json)
    })
  },
  {
    ...base,
    id: "CMD-102",
    title: "Commands: each has a response_url of its own",
    strength: "should",
    reference: "mod_commands, Receiver Interface, POST Method",
    passes: "https, absolute, another one for each command",
    hint: "Put an id that cannot be guessed into the response_url of each command.",
    judge: observed({
      source: "inbound",
      provoke,
      matches: (seen) => commandOf(seen) !== undefined,
      findings: (calls, evidence) =>
        calls.flatMap((seen, index) => {
          const url = textIn(objectIn(seen.json)["response_url"])
          // What is no URL, or too long for one, is told by CMD-101.
          if (url === undefined || isFlawedIn(seen, evidence)("/response_url")) return []
          const pointer = "/response_url"
          const isAgain = calls
            .slice(0, index)
            .some((before) => objectIn(before.json)["response_url"] === url)
          return [
            ...unless(
              (URL.canParse(url) && url.startsWith("https:")) || isLocalHttp(url, evidence.trustedPrefixes),
              () =>
                aboutCommand(seen, "the response_url is not an https URL", {
                  expected: "https://…",
                  actual: url,
                  pointer
                })
            ),
            ...when(isAgain, () =>
              aboutCommand(seen, "the response_url was used before", {
                expected: "a new one",
                actual: url,
                pointer
              })
            )
          ]
        })
    })
  },
  {
    ...base,
    id: "CMD-103",
    versions: versionsWhere(({ ownerFields }) => ownerFields),
    title: "Commands: the token belongs to a party of the partner's credentials",
    reference: "mod_commands, StartSession Object",
    passes: "the token belongs to an EMSP that the partner named in its credentials",
    hint: "Send only tokens of the EMSPs that your credentials name.",
    judge: onCommands(hasToken, (seen, evidence) => {
      const token = objectIn(objectIn(seen.json)["token"])
      const owners = emspPartiesOf(evidence)
      const isOwn = owners.some(
        (owner) =>
          sameId(owner.countryCode, token["country_code"]) && sameId(owner.partyId, token["party_id"])
      )
      // CMD-101 reports a token without a valid owner.
      const isFlawed = isFlawedIn(seen, evidence)
      const isNamed = ["country_code", "party_id"].every((part) => !isFlawed(`/token/${part}`))
      return unless(isOwn || !isNamed || owners.length === 0, () =>
        aboutCommand(seen, "the token belongs to a party that the partner's credentials do not name", {
          expected: owners.map(({ countryCode, partyId }) => `${countryCode}-${partyId}`).join(", "),
          actual: `${inWords(token["country_code"])}-${inWords(token["party_id"])}`,
          pointer: "/token/party_id"
        })
      )
    })
  },
  {
    ...base,
    id: "CMD-104",
    title: "Commands: location_id, evse_uid, connector_id and session_id exist",
    passes: "location_id, evse_uid, connector_id and session_id are ours",
    hint: "Take the ids from the locations and sessions that we serve and push.",
    judge: onCommands(any, refers)
  },
  {
    ...base,
    id: "CMD-105",
    consequenceOf: ["CMD-101"],
    versions: versionsWhere(({ startSessionConnector }) => startSessionConnector),
    title: "START_SESSION: connector_id is given where the EVSE requires it",
    reference: "mod_commands, StartSession Object; mod_locations, Capability enum",
    passes: "START_SESSION at an EVSE with START_SESSION_CONNECTOR_REQUIRED has evse_uid and connector_id",
    hint: "Look at the capabilities of the EVSE before the command is sent.",
    judge: onCommands(
      (command, seen, evidence) =>
        command === "START_SESSION" &&
        (lacksPlace(seen) || needsConnector(evidence, objectIn(seen.json)["evse_uid"])),
      (seen) =>
        when(lacksPlace(seen), () =>
          aboutCommand(seen, "our EVSE needs a connector_id", {
            expected: "evse_uid and connector_id",
            actual: placeIn(seen)
          })
        ),
      "the partner has not started at an EVSE of ours with START_SESSION_CONNECTOR_REQUIRED: order listenSeconds, and meanwhile start at the test location that the run publishes"
    )
  },
  {
    ...base,
    id: "CMD-106",
    title: "Commands: the EVSE has the capability that the command needs",
    strength: "should",
    reference: "mod_locations, Capability enum",
    passes: "no START_SESSION, RESERVE_NOW or UNLOCK_CONNECTOR at an EVSE without the capability",
    hint: "Send a command only to an EVSE whose capabilities have it.",
    judge: onCommands(any, (seen) =>
      when(ourAnswer(seen).result === "NOT_SUPPORTED", () =>
        aboutCommand(seen, "our EVSE does not have the capability for this command", {
          expected: "an EVSE with the capability",
          actual: placeIn(seen)
        })
      )
    )
  }
]
