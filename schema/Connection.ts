/** A partner backend as a caller has entered it. Input and view are two shapes, so that no view can hold a token. */
import { Schema } from "effect"
import { shownOnce } from "./fields/ShownOnce.ts"
import { ConnectionId } from "./Ids.ts"
import { OcpiVersion } from "./ocpi/OcpiVersion.ts"
import { Role } from "./ocpi/Role.ts"

/** `production` makes a connection read-only: writing checks, commands and journeys are withheld. */
export const Environment = Schema.Literal("test", "production")
export type Environment = typeof Environment.Type

/** Form of the token in the Authorization header; `auto`: found out in the handshake. */
export const TokenEncoding = Schema.Literal("raw", "base64", "auto")
export type TokenEncoding = typeof TokenEncoding.Type

/** The parts of a dialect that a caller may override. */
export const DialectPart = Schema.Literal(
  "tokenEncoding.inbound",
  "tokenEncoding.outbound",
  "trailingSlash",
  "pageLimit"
)
export type DialectPart = typeof DialectPart.Type

/** How a partner departs from OCPI, or which of two allowed forms it uses. Detected; the caller can override each part. */
export const Dialect = Schema.Struct({
  tokenEncoding: Schema.Struct({ inbound: TokenEncoding, outbound: TokenEncoding }),
  /**
   * The URLs of objects that we build end in a slash. OCPI's have none: it is found out by a redirect of the partner that only
   * adds one, or set by the caller.
   */
  trailingSlash: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** The largest page that we ask for: the X-Limit that the partner sent, or the caller's override. */
  pageLimit: Schema.optionalWith(Schema.Int, { exact: true }),
  /** Origins that we send our token to although the handshake did not name them; set by the caller, never detected. */
  trustedOrigins: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  /** Parts that the caller has set: detection does not change them, and traffic that differs is a deviation. Absent: none. */
  overridden: Schema.optionalWith(Schema.Array(DialectPart), { exact: true }),
  /** Departures from OCPI seen in the handshake and the traffic since, as sentences; each once. */
  deviations: Schema.Array(Schema.String)
}).annotations({ identifier: "Dialect" })
export type Dialect = typeof Dialect.Type

/** The dialect of a partner of which nothing is known: everything is detected. */
export const defaultDialect: Dialect = {
  tokenEncoding: { inbound: "auto", outbound: "auto" },
  deviations: []
}

/** The partner's versions URL: absolute, at most 2048 characters, none of them a blank or a control character. */
const PartnerUrl = Schema.String.pipe(
  Schema.maxLength(2048),
  Schema.filter(
    (text) =>
      (URL.canParse(text) && !/\s|\p{Cc}/u.test(text)) ||
      "expected an absolute URI without blanks, such as https://cpo.example/ocpi/versions"
  ),
  Schema.annotations({
    identifier: "PartnerUrl",
    jsonSchema: { type: "string", format: "uri", maxLength: 2048 }
  })
)

/** A token that a partner has given out. One with blanks around it, or a line break in it, was not copied as it is. */
const GivenToken = Schema.NonEmptyString.pipe(
  Schema.maxLength(256),
  Schema.filter(
    (text) =>
      !/^\s|\s$|\p{Cc}/u.test(text) ||
      "has a blank at its beginning or end, or a line break or another control character; give it as the partner issued it"
  )
)

/** Body of `POST /settings/egress`. */
export const EgressQuestion = Schema.Struct({
  url: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(2048))
}).annotations({ identifier: "EgressQuestion" })

/** Whether the service may call a URL, and which rule decides it. The addresses of a name are not shown. */
export const EgressAnswer = Schema.Struct({
  allowed: Schema.Boolean,
  /**
   * Refused: the form of the `url`, its `scheme`, its `userinfo`, its `port`, its `address`, or it is our `own`. Allowed: `sandbox`,
   * `allowed_range` of EGRESS_ALLOW_CIDRS, `public`; `none`: the name does not resolve.
   */
  rule: Schema.Literal(
    "url",
    "scheme",
    "userinfo",
    "port",
    "address",
    "own",
    "sandbox",
    "allowed_range",
    "public",
    "none"
  ),
  message: Schema.String
}).annotations({ identifier: "EgressAnswer" })
export type EgressAnswer = typeof EgressAnswer.Type

/** One role of the partner, as its credentials object states it. */
export const PartnerParty = Schema.Struct({
  role: Schema.String,
  countryCode: Schema.String,
  partyId: Schema.String,
  name: Schema.String
})
export type PartnerParty = typeof PartnerParty.Type

/** The state of the Token A that we issued for this partner to register with. */
export const Invitation = Schema.Struct({
  /** `used`: the partner has registered with it. `withdrawn`: replaced by a registration that we began. */
  state: Schema.Literal("open", "used", "withdrawn", "expired"),
  issuedAt: Schema.String,
  expiresAt: Schema.String
}).annotations({ identifier: "Invitation" })
export type Invitation = typeof Invitation.Type

/** What a partner needs to register with us. No other answer shows the token. */
export const IssuedInvitation = Schema.Struct({
  versionsUrl: Schema.String,
  /** Token A, issued by us. */
  token: shownOnce("issue another invitation: the same request with a new Idempotency-Key"),
  expiresAt: Schema.String
}).annotations({ identifier: "IssuedInvitation" })
export type IssuedInvitation = typeof IssuedInvitation.Type

/** A negotiated module endpoint; `role` is null where the version has none (2.1.1). */
export const Endpoint = Schema.Struct({
  identifier: Schema.String,
  role: Schema.NullOr(Schema.Literal("SENDER", "RECEIVER")),
  url: Schema.String
}).annotations({ identifier: "Endpoint" })
export type Endpoint = typeof Endpoint.Type

/** `pending`: not registered yet, or not any more. `failed`: the handshake failed, and `lastError` says why. */
export const ConnectionStatus = Schema.Literal("pending", "registered", "failed")
export type ConnectionStatus = typeof ConnectionStatus.Type

/**
 * The state of a registration (machines/handshake). In `registering`, `rotating`, `answering`, `renewing` and `ending` an exchange is
 * open; in `answering` and `renewing` the partner began it.
 */
export const RegistrationState = Schema.Literal(
  "unregistered",
  "invited",
  "registering",
  "answering",
  "registered",
  "rotating",
  "renewing",
  "ending"
)

/** `since`: absent where it is not known, as before the first registration. */
export const RegistrationNow = Schema.Struct({
  state: RegistrationState,
  since: Schema.optionalWith(Schema.String, { exact: true })
}).annotations({ identifier: "RegistrationNow" })
export type RegistrationNow = typeof RegistrationNow.Type

/** `https://host` or `https://host:port`: an origin as browsers write it, without path, query or user. */
const Origin = Schema.String.pipe(
  Schema.maxLength(300),
  Schema.filter((text) => isOrigin(text) || "expected an origin such as https://ocpi.partner.example:8443"),
  Schema.annotations({ identifier: "Origin", jsonSchema: { type: "string", format: "uri", maxLength: 300 } })
)

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { origin, protocol } = new URL(text)
  return (protocol === "https:" || protocol === "http:") && origin === text.toLowerCase()
}

/**
 * A caller's overrides of the dialect. A value holds until `auto` or null is given, after which the part is detected again.
 * Parts that are left out do not change.
 */
export const SetDialect = Schema.Struct({
  tokenEncoding: Schema.optionalWith(
    Schema.Struct({
      inbound: Schema.optionalWith(TokenEncoding, { exact: true }),
      outbound: Schema.optionalWith(TokenEncoding, { exact: true })
    }),
    { exact: true }
  ),
  trailingSlash: Schema.optionalWith(Schema.NullOr(Schema.Boolean), { exact: true }),
  pageLimit: Schema.optionalWith(Schema.NullOr(Schema.Int.pipe(Schema.between(1, 10_000))), { exact: true }),
  /**
   * We send our token only to the hosts of the versions URL, the version details and the endpoints. List other origins
   * here when the partner's links to next pages or its response_urls lead to them. The list replaces the one before; null
   * empties it.
   */
  trustedOrigins: Schema.optionalWith(Schema.NullOr(Schema.Array(Origin).pipe(Schema.maxItems(10))), {
    exact: true
  })
}).annotations({ identifier: "SetDialect" })
export type SetDialect = typeof SetDialect.Type

/** Body of `POST /connections`. */
export const CreateConnection = Schema.Struct({
  partnerBaseUrl: PartnerUrl,
  ourRole: Role,
  theirRole: Role,
  ocpiVersion: OcpiVersion,
  /**
   * Token A, issued by the partner. Never logged, never shown again. Leave it out where the partner has given none: then it
   * registers with an invitation of ours, or the handshake is given its Token A later.
   */
  tokenA: Schema.optionalWith(Schema.Redacted(GivenToken), {
    exact: true
  }),
  label: Schema.optionalWith(Schema.NonEmptyTrimmedString.pipe(Schema.maxLength(100)), { exact: true }),
  environment: Schema.optionalWith(Environment, { exact: true }),
  dialect: Schema.optionalWith(SetDialect, { exact: true }),
  /**
   * We show ourselves as a hub with two parties of `ourRole` behind it, both played by plugfest: for the suite `hub`, and for
   * no other. Not in OCPI 2.1.1, which has no hubs.
   */
  hub: Schema.optionalWith(Schema.Boolean, { exact: true })
}).annotations({ identifier: "CreateConnection" })
export type CreateConnection = typeof CreateConnection.Type

/** Body of `POST /connections/{id}/handshake`; it may be left out. */
export const HandshakeOrder = Schema.Struct({
  /** On a registered connection: change to this version, by PUT to its credentials endpoint. */
  ocpiVersion: Schema.optionalWith(OcpiVersion, { exact: true }),
  /** A new Token A of the partner, where the old one was used; allowed only while neither side is registered. */
  tokenA: Schema.optionalWith(Schema.Redacted(GivenToken), {
    exact: true
  })
}).annotations({ identifier: "HandshakeOrder" })
export type HandshakeOrder = typeof HandshakeOrder.Type

/** A connection as the API shows it. It has no tokenA, so no view, ledger line or log made from it can leak the token. */
export const Connection = Schema.Struct({
  _id: ConnectionId,
  partnerBaseUrl: Schema.String,
  ourRole: Role,
  theirRole: Role,
  ocpiVersion: OcpiVersion,
  status: ConnectionStatus,
  /** Begins with its kind: `config:`, `network:`, `auth:`, `protocol:` or `unsupported:`. */
  lastError: Schema.optionalWith(Schema.String, { exact: true }),
  label: Schema.String,
  environment: Environment,
  dialect: Dialect,
  endpoints: Schema.Array(Endpoint),
  partner: Schema.NullOr(Schema.Array(PartnerParty)),
  /** The parties behind us, where we are a hub; absent where we are not. */
  hubClients: Schema.optionalWith(Schema.Array(PartnerParty), { exact: true }),
  /** Null: the partner was never invited. */
  invitation: Schema.NullOr(Invitation),
  registration: RegistrationNow,
  registeredAt: Schema.NullOr(Schema.String),
  createdAt: Schema.String
}).annotations({ identifier: "Connection" })
export type Connection = typeof Connection.Type
