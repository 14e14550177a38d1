/** Partners of the account `mallory`, registered in every version and role; the attacker speaks in their place. */

import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { routesOf } from "../../../src/party/modules/routes.ts"
import { books } from "../../../test/support/ocpi/books.ts"
import { until } from "../../../test/support/service/Service.ts"
import { issuedToken } from "../rows/results.ts"
import type { Arena } from "./Arena.ts"

/** A registered partner: where it calls us, with which token, and as which party. */
export interface Member {
  readonly version: OcpiVersion
  readonly ourRole: Role
  readonly authorization: string
  readonly country: string
  readonly party: string
  readonly endpoints: ReadonlyArray<{ readonly identifier: string; readonly url: string }>
  /** The response_url of our command to it; absent: we sent none. */
  readonly resultUrl: string | undefined
}

/** The object in the body of each route; every route with a body must be listed here. */
export const objects: Readonly<Record<string, string>> = {
  "PUT location": "Location",
  "PATCH location": "Location",
  "PUT evse": "EVSE",
  "PATCH evse": "EVSE",
  "PUT connector": "Connector",
  "PATCH connector": "Connector",
  "PUT charging_preferences": "ChargingPreferences",
  "PUT session": "Session",
  "PATCH session": "Session",
  "POST cdr": "CDR",
  "PUT tariff": "Tariff",
  "PATCH tariff": "Tariff",
  "PUT token": "Token",
  "PATCH token": "Token",
  "POST authorize": "LocationReferences",
  "command result {command}": "CommandResult",
  "PUT chargingprofile": "SetChargingProfile",
  "PUT active profile": "ActiveChargingProfile",
  "PUT clientinfo": "ClientInfo",
  "POST terminal": "Terminal",
  "POST financial-advice-confirmation": "FinancialAdviceConfirmation",
  "POST credentials": "Credentials",
  "PUT credentials": "Credentials"
}
/** Registers an honest sandbox partner for `mallory`; from then on the attacker speaks in its place. */
export async function registered(
  arena: Arena,
  version: OcpiVersion,
  theirRole: Role,
  detailsUrl: string
): Promise<Member> {
  const { world } = arena
  const ourRole = theirRole === "CPO" ? "EMSP" : "CPO"
  const order = { theirRole, ocpiVersion: version, seed: 1, activity: "quiet" }
  const made = await world.partners.call("POST", "/api/v1/sandbox/partners", order)
  const { partnerBaseUrl, tokenA } = made.body.data
  const { call } = arena.mallory()
  const created = await call("POST", "/api/v1/connections", {
    partnerBaseUrl,
    tokenA,
    ourRole,
    theirRole,
    ocpiVersion: version
  })
  const connectionId = created.body?.data?._id
  const shaken = await call("POST", `/api/v1/connections/${connectionId}/handshake`)
  if (shaken.body?.data?.status !== "registered")
    throw new Error(`${version} ${theirRole}: ${shaken.status} ${shaken.text}`)
  const token = issuedToken(world)
  const { authorization: form } = profileOf(version)
  const authorization = `Token ${form === "raw" ? token : Buffer.from(token).toString("base64")}`
  const details = await call("GET", new URL(detailsUrl).pathname, undefined, { authorization })
  const { endpoints } = details.body.data as Member
  const { country, party } = partyOf(shaken.body.data)
  if (ourRole === "CPO")
    return { version, ourRole, authorization, country, party, endpoints, resultUrl: undefined }
  const sent = world.proxy.passed.length
  await call("POST", "/api/v1/testing/command", { connectionId, command: "UNLOCK_CONNECTOR" })
  const resultUrl = await until("a command", async () => {
    const found = world.proxy.passed.slice(sent).find(({ path }) => path.includes("/commands/"))
    return found === undefined ? undefined : String(JSON.parse(found.body).response_url)
  })
  return { version, ourRole, authorization, country, party, endpoints, resultUrl }
}

/** Puts one valid object at each path, because a request for a missing object is refused before its body is parsed. */
export async function furnished(arena: Arena, member: Member): Promise<void> {
  const { authorization, endpoints, ourRole, version } = member
  for (const { identifier, url } of endpoints) {
    const route = routesOf(profileOf(version), ourRole, identifier).find(
      ({ method, operation, pattern }) =>
        method === "PUT" && pattern.length === 3 && objects[operation] !== undefined
    )
    const object = objects[route?.operation ?? ""]
    if (route === undefined || object === undefined) continue
    const body = ownExample(member, object)
    const path = [member.country, member.party, body["id"] ?? body["uid"]].join("/")
    await arena.service().call("PUT", `${new URL(url).pathname}/${path}`, body, { authorization })
  }
}

/** A valid object of that partner. */
export function ownExample({ country, party, version }: Omit<Member, "endpoints">, object: string) {
  const example = books[version].example(object, true)
  return "country_code" in example ? { ...example, country_code: country, party_id: party } : example
}

/** The party of the partner. */
function partyOf({ partner }: any): { country: string; party: string } {
  const [{ countryCode, partyId }] = partner
  return { country: countryCode, party: partyId }
}
