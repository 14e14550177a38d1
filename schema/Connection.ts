/** A partner endpoint that a caller has registered with us. Input and view are two shapes on purpose. */
import { Schema } from "effect"
import { shownOnce } from "./fields/ShownOnce.ts"
import { ConnectionId } from "./Ids.ts"
import { OcpiVersion } from "./ocpi/OcpiVersion.ts"
import { Role } from "./ocpi/Role.ts"

export const Environment = Schema.Literal("test", "production")
export type Environment = typeof Environment.Type

export const TokenEncoding = Schema.Literal("raw", "base64", "auto")
export type TokenEncoding = typeof TokenEncoding.Type

/** The parts of a dialect that a caller may fix. */
export const DialectPart = Schema.Literal(
  "tokenEncoding.inbound",
  "tokenEncoding.outbound",
  "trailingSlash",
  "pageLimit"
)
export type DialectPart = typeof DialectPart.Type

/** How a partner departs from the text, or which of two allowed forms it uses. Detected; each part can be overridden. */
export const Dialect = Schema.Struct({
  tokenEncoding: Schema.Struct({ inbound: TokenEncoding, outbound: TokenEncoding }),
  /** Do its endpoint URLs end in a slash? Then the URLs that we build below them do too. */
  trailingSlash: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** Largest page that it serves (X-Limit as seen), or that it is to be asked for: we ask for no larger one. */
  pageLimit: Schema.optionalWith(Schema.Int, { exact: true }),
  /** Hosts that may hear our token although the handshake did not name them; the caller's wish, never detected. */
  trustedOrigins: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  /** What the caller has fixed: nothing that is detected changes it; what comes otherwise is a deviation. Absent: nothing. */
  overridden: Schema.optionalWith(Schema.Array(DialectPart), { exact: true }),
  /** Departures seen during the handshake and in the traffic since, in words; each once. */
  deviations: Schema.Array(Schema.String)
}).annotations({ identifier: "Dialect" })
export type Dialect = typeof Dialect.Type

export const defaultDialect: Dialect = {
  tokenEncoding: { inbound: "auto", outbound: "auto" },
  deviations: []
}

export const PartnerUrl = Schema.String.pipe(
  Schema.maxLength(2048),
  Schema.filter((text) => URL.canParse(text) || "expected an absolute URI"),
  Schema.annotations({
    identifier: "PartnerUrl",
    jsonSchema: { type: "string", format: "uri", maxLength: 2048 }
  })
)

/** The partner's party id and name as its credentials say. */
export const PartnerParty = Schema.Struct({
  role: Schema.String,
  countryCode: Schema.String,
  partyId: Schema.String,
  name: Schema.String
})
export type PartnerParty = typeof PartnerParty.Type

/** Our Token A for this partner: may it still come with it? */
export const Invitation = Schema.Struct({
  /** `used`: the partner has registered with it. `withdrawn`: replaced by a registration that we began. */
  state: Schema.Literal("open", "used", "withdrawn", "expired"),
  issuedAt: Schema.String,
  expiresAt: Schema.String
}).annotations({ identifier: "Invitation" })
export type Invitation = typeof Invitation.Type

/** What a partner needs to register with us. The token is shown here and never again. */
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

export const ConnectionStatus = Schema.Literal("pending", "registered", "failed")
export type ConnectionStatus = typeof ConnectionStatus.Type

/** `https://host` or `https://host:port`: an origin as browsers write it, without path, query or user. */
export const Origin = Schema.String.pipe(
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
 * The dialect as the caller wants it: what is given holds until it is given as `auto` or null, which leaves it to be
 * detected anew. What is left out stays as it is.
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
   * Our token goes only to the hosts that the handshake names: of the versions URL, the version details and the endpoints.
   * List others here when the partner's links to next pages or its response_urls lead to them. They replace the list that
   * was there; null: none.
   */
  trustedOrigins: Schema.optionalWith(Schema.NullOr(Schema.Array(Origin).pipe(Schema.maxItems(10))), {
    exact: true
  })
}).annotations({ identifier: "SetDialect" })
export type SetDialect = typeof SetDialect.Type

export const CreateConnection = Schema.Struct({
  partnerBaseUrl: PartnerUrl,
  ourRole: Role,
  theirRole: Role,
  ocpiVersion: OcpiVersion,
  /** Token A, issued by the partner. Never logged, never shown again. */
  tokenA: Schema.Redacted(Schema.NonEmptyString.pipe(Schema.maxLength(256))),
  label: Schema.optionalWith(Schema.NonEmptyTrimmedString.pipe(Schema.maxLength(100)), { exact: true }),
  environment: Schema.optionalWith(Environment, { exact: true }),
  dialect: Schema.optionalWith(SetDialect, { exact: true })
}).annotations({ identifier: "CreateConnection" })
export type CreateConnection = typeof CreateConnection.Type

/** What a handshake may be given; a body may be left out. */
export const HandshakeOrder = Schema.Struct({
  /** On a registered connection: go on in this version, by PUT to its credentials endpoint. */
  ocpiVersion: Schema.optionalWith(OcpiVersion, { exact: true }),
  /** A new Token A of the partner, where the old one is used up. Only while nobody is registered. */
  tokenA: Schema.optionalWith(Schema.Redacted(Schema.NonEmptyString.pipe(Schema.maxLength(256))), {
    exact: true
  })
}).annotations({ identifier: "HandshakeOrder" })
export type HandshakeOrder = typeof HandshakeOrder.Type

/** No tokenA: no view, ledger line or log made from a Connection can leak it. */
export const Connection = Schema.Struct({
  _id: ConnectionId,
  partnerBaseUrl: Schema.String,
  ourRole: Role,
  theirRole: Role,
  ocpiVersion: OcpiVersion,
  status: ConnectionStatus,
  /** Begins with its class: `config:`, `network:`, `auth:`, `protocol:`, `unsupported:`. */
  lastError: Schema.optionalWith(Schema.String, { exact: true }),
  label: Schema.String,
  environment: Environment,
  dialect: Dialect,
  endpoints: Schema.Array(Endpoint),
  partner: Schema.NullOr(Schema.Array(PartnerParty)),
  /** Null: the partner was never invited. */
  invitation: Schema.NullOr(Invitation),
  registeredAt: Schema.NullOr(Schema.String),
  createdAt: Schema.String
}).annotations({ identifier: "Connection" })
export type Connection = typeof Connection.Type
