/** `/connections`: register a partner endpoint, look at it, shake hands, let it go. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import {
  Connection,
  ConnectionStatus,
  CreateConnection,
  HandshakeOrder,
  IssuedInvitation,
  SetDialect
} from "../../schema/Connection.ts"
import { Exchange } from "../../schema/Exchange.ts"
import { ConnectionId } from "../../schema/Ids.ts"
import { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"
import { Preflight } from "../../schema/Preflight.ts"
import { Authentication, RequiredScope } from "./Authentication.ts"
import { ok } from "./envelope.ts"
import { conflict, notFound, planRequired, tooMany, unsupported } from "./failures.ts"
import { Cursor, IdempotencyHeaders, Limit, optional, Position } from "./queries.ts"

const path = Schema.Struct({ id: ConnectionId })
const one = ok("ConnectionResponse", Connection)

/** What an unregistering told us: was the partner reached, and what it said. */
export const Removed = Schema.Struct({
  _id: ConnectionId,
  /** Did the partner take our DELETE credentials? False also where there was nothing to tell. */
  partnerTold: Schema.Boolean,
  message: Schema.String
}).annotations({ identifier: "RemovedConnection" })

export class ConnectionsApi extends HttpApiGroup.make("connections")
  .add(
    HttpApiEndpoint.post("create", "/connections")
      .setHeaders(IdempotencyHeaders)
      .setPayload(CreateConnection)
      .addSuccess(one, { status: 201 })
      .addError(planRequired)
      .addError(conflict)
      .addError(unsupported)
      .annotate(RequiredScope, "connections:write")
      .annotate(OpenApi.Summary, "Register a partner's OCPI endpoint")
  )
  .add(
    HttpApiEndpoint.get("list", "/connections")
      .setUrlParams(
        Schema.Struct({
          limit: optional(Limit(25, 100)),
          cursor: optional(Cursor),
          status: optional(ConnectionStatus),
          ocpiVersion: optional(OcpiVersion)
        })
      )
      .addSuccess(ok("ConnectionsResponse", Schema.Array(Connection)))
      .annotate(OpenApi.Summary, "List connections, newest first")
  )
  .add(
    HttpApiEndpoint.get("read", "/connections/:id")
      .setPath(path)
      .addSuccess(one)
      .addError(notFound)
      .annotate(OpenApi.Summary, "Read one connection")
  )
  .add(
    HttpApiEndpoint.post("handshake", "/connections/:id/handshake")
      .setPath(path)
      .setHeaders(IdempotencyHeaders)
      .setPayload(HandshakeOrder)
      .addSuccess(one)
      .addError(planRequired)
      .addError(notFound)
      .addError(conflict)
      .addError(unsupported)
      .addError(tooMany)
      .annotate(RequiredScope, "connections:write")
      .annotate(OpenApi.Summary, "Discover the partner's endpoints and exchange credentials, or rotate them")
      .annotate(OpenApi.Transform, (operation) => ({
        ...operation,
        requestBody: { ...operation["requestBody"], required: false }
      }))
  )
  .add(
    HttpApiEndpoint.post("invite", "/connections/:id/invitation")
      .setPath(path)
      .setHeaders(IdempotencyHeaders)
      .addSuccess(ok("InvitationResponse", IssuedInvitation), { status: 201 })
      .addError(planRequired)
      .addError(notFound)
      .addError(conflict)
      .annotate(RequiredScope, "connections:write")
      .annotate(OpenApi.Summary, "Issue our Token A, so that the partner registers with us; it is shown once")
  )
  .add(
    HttpApiEndpoint.post("preflight", "/connections/:id/preflight")
      .setPath(path)
      .setHeaders(IdempotencyHeaders)
      .addSuccess(ok("PreflightResponse", Preflight))
      .addError(planRequired)
      .addError(notFound)
      .addError(conflict)
      .annotate(RequiredScope, "run")
      .annotate(OpenApi.Summary, "Diagnose the way to the partner and back, step by step; changes nothing")
  )
  .add(
    HttpApiEndpoint.put("setDialect", "/connections/:id/dialect")
      .setPath(path)
      .setPayload(SetDialect)
      .addSuccess(one)
      .addError(conflict)
      .addError(notFound)
      .annotate(RequiredScope, "connections:write")
      .annotate(OpenApi.Summary, "Override how we speak with the partner; what is left out stays as it is")
  )
  .add(
    HttpApiEndpoint.get("exchanges", "/connections/:id/exchanges")
      .setPath(path)
      .setUrlParams(Schema.Struct({ after: optional(Position), limit: optional(Limit(100, 1000)) }))
      .addSuccess(ok("ExchangesResponse", Schema.Array(Exchange)))
      .addError(notFound)
      .annotate(OpenApi.Summary, "Every exchange with the partner, oldest first, secrets replaced")
  )
  .add(
    HttpApiEndpoint.del("remove", "/connections/:id")
      .setPath(path)
      .addSuccess(ok("RemovedConnectionResponse", Removed))
      .addError(notFound)
      .addError(conflict)
      .annotate(RequiredScope, "connections:write")
      .annotate(OpenApi.Summary, "Unregister at the partner and forget the secrets; reports stay")
  )
  .middleware(Authentication)
  .annotate(OpenApi.Description, "Partner endpoints that the caller owns") {}
