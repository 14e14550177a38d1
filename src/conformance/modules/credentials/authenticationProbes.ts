/** Authorization at each endpoint that the partner lists, and not at its versions URL alone. */
import type { InterfaceRole, ModuleId } from "../../../../schema/ocpi/VersionProfile.ts"
import type { JsonObject } from "../../../findings/json.ts"
import type { Evidence } from "../../model/Evidence.ts"
import {
  type CredentialsUse,
  type Probe,
  type ProbeRequest,
  type ProbeStep,
  withheld
} from "../../model/Probe.ts"
import { unknownObject } from "../shared/besideOcpi.ts"
import { cleanUpOf, type Make, objectRequest } from "../shared/receivers/receiverSteps.ts"
import { ourObjects, testObject } from "../transport/testObjects.ts"
import { nobody } from "../transport/wrongRequestsProbes.ts"

/** A URL that leads nowhere: the top-level domain is reserved (RFC 2606). */
const nowhere = "https://plugfest.invalid/result"
/** The id of an object that is written without any of its fields. Requests that read unknown objects name another one. */
export const emptyId = "TST-not-authorized"
/** The operation of such a write. */
export const emptyWrite = "empty object"

/**
 * A request about an object that does not exist: a read, or a write whose body has none of the fields that are required. The write
 * changes nothing that is there; a partner that takes it without a look at token and body may store an object without fields: under
 * `emptyId`, or in cdrs under an id of its own. It is not cleaned up.
 */
interface EndpointRequest {
  readonly module: ModuleId
  readonly interfaceRole: InterfaceRole
  readonly method?: ProbeRequest["method"]
  readonly path?: (evidence: Evidence) => ReadonlyArray<string>
  readonly query?: (evidence: Evidence) => Readonly<Record<string, string>>
  readonly body?: JsonObject
  readonly wrongOnPurpose?: ProbeRequest["wrongOnPurpose"]
  /** Answered with a result at a response_url: asked only with a token that is refused. */
  readonly isAsynchronous?: true
}

const ownedBy = ({ party: { identity } }: Evidence) => [identity.countryCode, identity.partyId, nobody]

/** A write of an object without fields to a receiver of the partner; `path`: below its endpoint. */
const empty = (
  module: ModuleId,
  method: "PUT" | "POST",
  path: NonNullable<EndpointRequest["path"]>
): EndpointRequest => ({
  module,
  interfaceRole: "RECEIVER",
  method,
  path,
  body: {},
  wrongOnPurpose: { body: "every field is missing" }
})

const ours = ({ party: { identity } }: Evidence) => [identity.countryCode, identity.partyId, emptyId]

const endpoints: ReadonlyArray<EndpointRequest> = [
  { module: "credentials", interfaceRole: "SENDER" },
  { module: "locations", interfaceRole: "RECEIVER", path: ownedBy },
  { module: "sessions", interfaceRole: "RECEIVER", path: ownedBy },
  { module: "tariffs", interfaceRole: "RECEIVER", path: ownedBy },
  { module: "tokens", interfaceRole: "RECEIVER", path: ownedBy },
  { module: "cdrs", interfaceRole: "RECEIVER", path: () => [nobody] },
  { module: "tokens", interfaceRole: "SENDER", method: "POST", path: () => [nobody, "authorize"] },
  {
    module: "commands",
    interfaceRole: "RECEIVER",
    method: "POST",
    path: () => ["STOP_SESSION"],
    body: { response_url: nowhere, session_id: nobody },
    isAsynchronous: true
  },
  {
    module: "chargingprofiles",
    interfaceRole: "RECEIVER",
    path: () => [nobody],
    query: () => ({ duration: "900", response_url: nowhere }),
    isAsynchronous: true
  },
  { module: "payments", interfaceRole: "RECEIVER", path: () => ["terminals", nobody] },
  ...(["locations", "sessions", "tariffs", "tokens"] as const).map((module) => empty(module, "PUT", ours)),
  empty("cdrs", "POST", () => []),
  empty("chargingprofiles", "PUT", () => [emptyId])
]

/** Endpoints of the partner, by what it lists; where the version gives endpoints no role, by the interfaces of its role. */
const isListed =
  ({ party: { counterpart }, profile }: Evidence) =>
  ({ interfaceRole, module }: EndpointRequest): boolean =>
    module === "credentials"
      ? counterpart.endpoints.some(({ identifier }) => identifier === module)
      : profile.interfaces[counterpart.role].some(
          ([name, side]) =>
            name === module &&
            side === interfaceRole &&
            counterpart.endpoints.some(
              ({ identifier, role }) =>
                identifier === name && (!profile.endpointRoles || role === null || role === side)
            )
        )

const requestTo = (
  evidence: Evidence,
  { body, interfaceRole, method = "GET", module, path, query, wrongOnPurpose }: EndpointRequest,
  credentials: CredentialsUse,
  about: string
): ProbeRequest => ({
  module,
  interfaceRole,
  operation: wrongOnPurpose === undefined ? unknownObject : emptyWrite,
  method,
  ...(path === undefined ? {} : { path: path(evidence) }),
  ...(query === undefined ? {} : { query: query(evidence) }),
  ...(body === undefined ? {} : { body }),
  ...(wrongOnPurpose === undefined ? {} : { wrongOnPurpose }),
  credentials,
  judgesToken: true,
  about
})

const atEach = (
  id: string,
  tries: ReadonlyArray<readonly [about: string, credentials: CredentialsUse]>,
  isAsked: (endpoint: EndpointRequest) => boolean = () => true
): Probe => ({
  id,
  asks: (evidence) => {
    if (evidence.party.registration !== "registered")
      return withheld(
        "not_tested",
        "the connection is not registered: there is no token that opens endpoints",
        "operator"
      )
    const listed = endpoints.filter((one) => isListed(evidence)(one) && isAsked(one))
    return listed.length === 0
      ? withheld("not_applicable", "the partner lists none of the endpoints that this is about")
      : listed.flatMap((endpoint) =>
          tries.map(([about, credentials]) => requestTo(evidence, endpoint, credentials, about))
        )
  }
})

/** Id of the script that writes with a wrong token. */
const writes = "authentication.writes"
/** A request without a token in its header, as findings name it: a token is an object of OCPI, too. */
const withoutToken = "without Authorization header"
/** A step of it, as checks need it. */
export const writeStep = (step: string): string => `${writes}#${step}`
/** Writes of an object with a wrong token, each by the id of its step. */
export const unauthorizedWrites = { "without a token": "none", "with an unknown token": "random" } as const

const written: Make = testObject("unauthorized")

const write = (id: string, use: "none" | "random"): ProbeStep => ({
  id,
  act: (evidence) => {
    const body = written(evidence)
    const objects = ourObjects(evidence)
    const undo = cleanUpOf(objects, evidence, body)
    return {
      send: {
        ...objectRequest(objects, evidence, body, { method: "PUT", body }),
        credentials: { use },
        about: use === "none" ? withoutToken : id
      },
      ...(undo === undefined ? {} : { undo })
    }
  }
})

/**
 * Requests about unknown objects to each endpoint, and writes of an object without fields to each receiver: without a token and
 * with an unknown one; the reads also with the token in headers of other case. PUT of an object of ours without a token and with
 * an unknown one, then GET of it.
 */
export const authenticationProbes: ReadonlyArray<Probe> = [
  atEach("authentication.refused", [
    [withoutToken, { use: "none" }],
    ["with an unknown token", { use: "random" }]
  ]),
  atEach(
    "authentication.accepted",
    [
      ["with the current token", { use: "live" }],
      ["with authorization in lower case", { use: "live", headerName: "authorization" }],
      ["with AUTHORIZATION in upper case", { use: "live", headerName: "AUTHORIZATION" }]
    ],
    ({ isAsynchronous, method = "GET" }) => isAsynchronous !== true && method === "GET"
  ),
  {
    id: writes,
    steps: [
      ...Object.entries(unauthorizedWrites).map(([id, use]) => write(id, use)),
      {
        id: "read back",
        act: (evidence) => ({
          send: objectRequest(ourObjects(evidence), evidence, written(evidence), { method: "GET" })
        })
      }
    ]
  }
]
