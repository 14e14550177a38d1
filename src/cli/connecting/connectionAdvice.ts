/** Where a connection stands, and what to do next. Pure. */
import type { Connection } from "../../../schema/Connection.ts"
import { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { registrationPart } from "../../../schema/Suite.ts"
import { slashless } from "../service/serviceFlags.ts"

/** What names a connection on the command line: its label where that is one word, else its id. */
const handleOf = ({ _id, label }: Pick<Connection, "_id" | "label">): string =>
  /^[\w.-]+$/.test(label) ? label : _id

/** The command that comes next. */
export function nextStep(connection: Connection): string {
  const { _id, invitation, lastError = "", status } = connection
  if (status === "registered") {
    const odd = roleSeen(connection)
    return odd === undefined
      ? `plugfest test ${handleOf(connection)}   (other suites: plugfest suites --ocpi-version ${connection.ocpiVersion} --role ${connection.theirRole})`
      : `plugfest disconnect ${_id}, then connect with --their-role ${odd}`
  }
  if (invitation?.state === "open") return "the partner registers with the invitation that it was given"
  if (status === "pending") return againWith(connection)
  if (isElsewhere(lastError)) return againWith({ ...connection, partnerBaseUrl: "<its versions URL>" })
  if (/^(protocol|auth):/.test(lastError))
    return `${againWith(connection)}; for a report: plugfest test ${_id} --suite ${registrationPart}`
  const ocpiVersion = newestOffered(lastError) ?? connection.ocpiVersion
  return againWith({ ...connection, ocpiVersion })
}

/** Does the error say that the partner's versions URL is another one than that of the connection? */
const isElsewhere = (lastError: string): boolean =>
  /^\w+: GET versions answered (?!401 )/.test(lastError) &&
  /partnerBaseUrl|redirects are not followed/.test(lastError)

/** Of a partner that does not offer the version of the connection, the newest version that it does offer and we know. */
function newestOffered(lastError: string): OcpiVersion | undefined {
  const [, listed = ""] = /^unsupported: .*; it offers (.*)\. Agree/.exec(lastError) ?? []
  const offered = listed.split(/[ ,]+/)
  return OcpiVersion.literals.findLast((version) => offered.includes(version))
}

/** The `connect` that tries this connection once more. */
export const againWith = (connection: Connection): string => {
  const { environment, hubClients, label, ocpiVersion, partnerBaseUrl, theirRole } = connection
  return [
    `plugfest connect ${partnerBaseUrl} --their-role ${theirRole} --ocpi-version ${ocpiVersion}`,
    /^[\w.-]+$/.test(label) ? ` --label ${label}` : "",
    hubClients === undefined ? "" : " --hub",
    environment === "production" ? " --environment production" : ""
  ].join("")
}

/** The commands that register a connection anew whose registration the partner has lost. */
export const anew = (connection: Connection): string =>
  `plugfest disconnect ${connection._id} && ${againWith(connection)}`

/** The role that a partner names in its credentials where it is the other one than we were told; undefined: it is not. */
export function roleSeen({
  partner,
  theirRole
}: Pick<Connection, "partner" | "theirRole">): "CPO" | "EMSP" | undefined {
  const roles = (partner ?? []).map(({ role }) => role)
  const other = theirRole === "CPO" ? "EMSP" : "CPO"
  return roles.includes(other) && !roles.includes(theirRole) ? other : undefined
}

/** `The partner looks like an EMSP (its credentials: EMSP DE-SBM; …), not like a CPO`. */
export function looksLike(connection: Connection, role: "CPO" | "EMSP"): string {
  const named = (connection.partner ?? [])
    .map(({ countryCode, partyId, role }) => `${role} ${countryCode}-${partyId}`)
    .join(", ")
  const served = connection.endpoints
    .filter((one) => one.role === "SENDER" && one.identifier !== "credentials")
    .map(({ identifier }) => identifier)
    .join(", ")
  const sends = served === "" ? "" : `; it is the sender of ${served}`
  return `The partner looks like ${article(role)}: its credentials name ${named}${sends}`
}

/** `a CPO`, `an EMSP`. */
export const article = (role: "CPO" | "EMSP") => (role === "CPO" ? "a CPO" : "an EMSP")

/** The connection that a `connect` with these facts means, if there is one: the registered one, or else the newest. */
export function sameAs(
  all: ReadonlyArray<Connection>,
  wanted: {
    readonly partnerBaseUrl: string
    readonly theirRole: string
    readonly ourRole: string
    readonly ocpiVersion: string
    readonly environment: string
    readonly hub: boolean
    readonly label: string | undefined
  }
): Connection | undefined {
  const found = all.filter(
    (one) =>
      slashless(one.partnerBaseUrl) === slashless(wanted.partnerBaseUrl) &&
      one.theirRole === wanted.theirRole &&
      one.ourRole === wanted.ourRole &&
      one.ocpiVersion === wanted.ocpiVersion &&
      one.environment === wanted.environment &&
      (one.hubClients !== undefined) === wanted.hub &&
      (wanted.label === undefined || one.label === wanted.label)
  )
  return preferred(found)[0]
}

/** The connections that a name means: the registered ones, or, where none is, the newest. */
export function preferred(found: ReadonlyArray<Connection>): ReadonlyArray<Connection> {
  const registered = found.filter(({ status }) => status === "registered")
  if (registered.length > 0) return registered
  return found.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1)).slice(0, 1)
}
