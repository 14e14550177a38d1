/** Every choice that the OCPI text leaves to a partner. The first value named for a field is the plainest. */

/** OCPI versions that a stranger speaks. */
export const strangerVersions = ["2.1.1", "2.2", "2.2.1", "2.3.0"] as const
export type StrangerVersion = (typeof strangerVersions)[number]

/** Roles that a stranger plays. */
export const strangerRoles = ["CPO", "EMSP"] as const
export type StrangerRole = (typeof strangerRoles)[number]

/** The choices of one stranger. */
export interface Freedoms {
  /** Seed of what it holds: names, places, prices. */
  readonly contents: number
  /** Path before all others, without a slash at its end. */
  readonly root: string
  /** How endpoint URLs are made (version_information_endpoint: no layout is given). */
  readonly paths: "version first" | "role first" | "no version" | "opaque"
  /** Follows the module in endpoint URLs. */
  readonly suffix: string
  /** Endpoint URLs end in a slash; object URLs do not. */
  readonly endpointSlash: boolean
  /** Endpoint URLs have a query that every request must repeat. */
  readonly endpointQuery: boolean
  /** Modules are served by another port than versions and credentials. */
  readonly twoPorts: boolean
  /** Further versions in the list, each with a details page that keeps the rules of its own version. */
  readonly otherVersions: ReadonlyArray<StrangerVersion>
  /** The order of versions and of endpoints is turned round. */
  readonly listedBackwards: boolean
  /** The details name modules that this service does not use. */
  readonly moreModules: boolean

  /** Characters of ids. */
  readonly ids: "plain" | "uuid" | "marks" | "reserved"
  /** References name ids in another letter case (types, CiString). 2.2 and later. */
  readonly otherCase: boolean
  /** Parties of the platform (credentials, roles). 2.2 and later. */
  readonly parties: number
  /** The platform lists a second role as well. 2.2 and later. */
  readonly moreRoles: boolean
  /** Routing headers are left out between platforms with one party and one role each (transport_and_format). */
  readonly bareRouting: boolean

  /** Optional fields that are given: none, some, or all that are known here. */
  readonly optionals: "all" | "some" | "none"
  /** What is left out is null, or an empty list. */
  readonly nulls: boolean
  /** Fields that OCPI does not have. */
  readonly unknownFields: boolean
  /** The order of fields is mixed. */
  readonly mixedFields: boolean
  /** White space in JSON. */
  readonly indented: boolean
  /** Characters beyond ASCII are escaped in JSON. */
  readonly escaped: boolean
  /** Digits of a second. 2.2 and later. */
  readonly digits: 0 | 1 | 3
  /** Times end in Z, or in nothing. */
  readonly zulu: boolean

  /** Objects of each list. */
  readonly objects: number
  /** Most objects of a page. */
  readonly pageMax: number
  /** Objects of a page when no limit is asked for; at most `pageMax`. */
  readonly pageUsual: number
  /** How a Link says where the next page is. */
  readonly link: "offset" | "cursor" | "unquoted" | "among others"
  /** The order of lists. */
  readonly listOrder: "created" | "by id"

  readonly headerCase: "usual" | "lower" | "upper"
  /** Headers that OCPI does not have come first. */
  readonly moreHeaders: boolean
  readonly keepAlive: boolean
  readonly chunked: boolean
  readonly contentType: string
  /** X-Limit: the most that the server gives, or that it gives to this request (transport_and_format, Pagination). */
  readonly xLimit: "of the server" | "of the request"
  /** In 2.1.1, where "after" and "before" may be read so: date_from and date_to themselves are left out and let in. */
  readonly openBounds: boolean
  /** Lists of sessions are refused without date_from, which is required (mod_sessions, GET Method). */
  readonly needsDateFrom: boolean
  /** InterfaceRole of the credentials endpoint, which means nothing (version_information_endpoint, InterfaceRole enum). */
  readonly credentialsRole: "SENDER" | "RECEIVER"
  /** Authorization is given for a place alone: without one it is refused with 2002 (mod_tokens, POST Method). */
  readonly needsLocation: boolean
  /** A session begins as PENDING, and is ACTIVE a little later. */
  readonly beginsPending: boolean

  /** Milliseconds that an answer takes. */
  readonly latency: number
  /** status_message of a success. */
  readonly message: "none" | "text" | "null"
  /** Status code of a success: 1000, or another below 2000. */
  readonly successCode: number
  /** HTTP status of what was made new. */
  readonly created: 200 | 201
  /** What is not found: HTTP 404 with an envelope or without a body, or a status code alone (status_codes: 404 is advised). */
  readonly notFound: "envelope" | "empty" | "code"
  /** HTTP 400, 401 and 405 with an envelope, or without a body. */
  readonly refused: "envelope" | "empty"
  /** `data` in the answer to what was written. */
  readonly writtenData: "none" | "null" | "object" | "text"
  /** Length and characters of the tokens that it issues (credentials, Credentials object). */
  readonly tokenLength: number
  readonly tokenAlphabet: "uuid" | "letters" | "all"

  /** Each so many answers something changes; 0: never. */
  readonly changesEach: number
  /** What changes is pushed, as a whole, in part, or not at all. */
  readonly pushes: "put" | "patch" | "none"
  /** Seconds until a charge point has answered a command. */
  readonly chargePointSeconds: number
  /** A partner without a module beside credentials is refused with 3003 (credentials, required endpoints not available). */
  readonly needsModules: boolean
  /** Who sends POST credentials. */
  readonly initiative: "ours" | "theirs"
  /** A gateway in front compresses every answer. */
  readonly gzip: boolean
  /**
   * Each so many seconds something of its own changes by itself, and it reads the partner's lists, page by page; 0: never.
   * Not drawn: rows that need it name it.
   */
  readonly routineSeconds: number
  /** Seconds between two meter values of a charge. Not drawn: rows that need it name it. */
  readonly meterSeconds: number
  /** Modules that the platform does not have: none but versions and credentials is required (version_information_endpoint). */
  readonly leftOut: ReadonlyArray<string>
  /** Fields that are left out seldom are left out too, where the text lets them be. */
  readonly lean: boolean
  /** Lists without an order of their own are in another one. */
  readonly mixedLists: boolean
  /** Charges have pauses: time in which the vehicle asks for no energy, and time in which it is offered none. */
  readonly pauses: boolean
  /** Some charges of the past began as reservations. 2.2 and later. */
  readonly reservedFirst: boolean
  /** Behind a hub: to whom it sends what is for all (transport_and_format, Broadcast Push and Open Routing Request). */
  readonly viaHub: "broadcast" | "each" | "open"
  /** Behind a hub that can tell it of parties: it answers those alone that the hub says are CONNECTED (mod_hub_client_info). */
  readonly toldPartiesOnly: boolean
}
