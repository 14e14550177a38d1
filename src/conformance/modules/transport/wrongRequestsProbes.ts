/** Requests that a partner has to refuse, or that name unknown objects. None of them changes anything. */
import type { Role } from "../../../../schema/ocpi/Role.ts"
import type { InterfaceRole, ModuleId, VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { withoutEndSlashes } from "../../../ocpi/urls.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { type Probe, type ProbeRequest, withheld } from "../../model/Probe.ts"
import { besideOcpi } from "../shared/besideOcpi.ts"

/** An id that no object has. */
export const nobody = "TST-does-not-exist"

interface Place {
  readonly module: ModuleId
  readonly interfaceRole: InterfaceRole
  readonly method: NonNullable<ProbeRequest["method"]>
  /** Below the endpoint; `owner` stands for our country code and party id. */
  readonly path: ReadonlyArray<string>
}

const receiver = (module: ModuleId, method: Place["method"]): Place => ({
  module,
  interfaceRole: "RECEIVER",
  method,
  path: ["owner", nobody]
})
const sender = (module: ModuleId, method: Place["method"], ...path: ReadonlyArray<string>): Place => ({
  module,
  interfaceRole: "SENDER",
  method,
  path: path.length === 0 ? [nobody] : path
})

/** Where a partner of that role takes bodies. */
const written = (role: Role): ReadonlyArray<Place> =>
  role === "CPO"
    ? [
        receiver("tokens", "PUT"),
        { module: "commands", interfaceRole: "RECEIVER", method: "POST", path: ["START_SESSION"] },
        { module: "chargingprofiles", interfaceRole: "RECEIVER", method: "PUT", path: [nobody] }
      ]
    : [
        receiver("locations", "PUT"),
        receiver("sessions", "PUT"),
        receiver("tariffs", "PUT"),
        { module: "cdrs", interfaceRole: "RECEIVER", method: "POST", path: [] },
        sender("tokens", "POST", nobody, "authorize")
      ]

/** Objects that a partner of that role gives by their id. */
const readById = (role: Role): ReadonlyArray<Place> =>
  role === "CPO"
    ? [sender("locations", "GET"), receiver("tokens", "GET")]
    : [receiver("locations", "GET"), receiver("sessions", "GET"), receiver("tariffs", "GET")]

/** Methods that the modules do not have. */
const notOffered = (role: Role, { tariffPatch }: VersionProfile): ReadonlyArray<Place> =>
  role === "CPO"
    ? [sender("locations", "PUT"), sender("sessions", "DELETE"), receiver("tokens", "DELETE")]
    : [
        receiver("locations", "DELETE"),
        receiver("sessions", "DELETE"),
        ...(tariffPatch ? [] : [receiver("tariffs", "PATCH")]),
        sender("tokens", "DELETE")
      ]

const isOffered = ({ party, profile }: Evidence, { interfaceRole, module }: Place) =>
  party.counterpart.endpoints.some(
    ({ identifier, role }) =>
      identifier === module && (!profile.endpointRoles || role === null || role === interfaceRole)
  )

/** Asks at every place that the partner offers. */
const atPlaces = (
  id: string,
  operation: string,
  places: (role: Role, profile: VersionProfile) => ReadonlyArray<Place>,
  more: (place: Place) => Pick<ProbeRequest, "rawBody" | "body" | "wrongOnPurpose"> = () => ({})
): Probe => ({
  id,
  asks: (evidence) => {
    const { countryCode, partyId } = evidence.party.identity
    const offered = places(evidence.party.counterpart.role, evidence.profile).filter((place) =>
      isOffered(evidence, place)
    )
    return offered.length === 0
      ? withheld("not_applicable", "the partner announces none of the endpoints that this is about")
      : offered.map((place) => ({
          module: place.module,
          interfaceRole: place.interfaceRole,
          operation,
          method: place.method,
          path: place.path.flatMap((segment) => (segment === "owner" ? [countryCode, partyId] : [segment])),
          ...more(place)
        }))
  }
})

/** Requests that must be refused or name unknown objects; none changes anything. */
export const wrongRequestProbes: ReadonlyArray<Probe> = [
  atPlaces("unknown-ids", "unknown id", readById),
  atPlaces("truncated-json", "truncated JSON", written, () => ({
    rawBody: '{"last_updated": "2026-01-0',
    wrongOnPurpose: { body: "JSON that is cut short" }
  })),
  atPlaces("methods-not-offered", "a method that the module does not have", notOffered, ({ method }) => ({
    ...(method === "DELETE" ? {} : { body: {} }),
    wrongOnPurpose: { target: "a method that the module does not have" }
  })),
  {
    id: "unknown-path",
    asks: ({ party }) => {
      const url = new URL(party.counterpart.versionsUrl)
      const path = withoutEndSlashes(url.pathname)
      url.pathname = `${path.slice(0, path.lastIndexOf("/") + 1)}${nobody}`
      return [
        {
          module: "versions",
          interfaceRole: "SENDER",
          operation: besideOcpi.unknownPath,
          url: url.href,
          wrongOnPurpose: { target: "an unknown path" }
        }
      ]
    }
  }
]
