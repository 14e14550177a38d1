/** `/connections`: enter a partner, register with it, diagnose it, unregister. */
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
import { conflict, invalid, notFound, planRequired, tooMany, unsupported } from "./failures.ts"
import { Cursor, ExchangesParams, IdempotencyHeaders, Limit, optional } from "./queries.ts"

const path = Schema.Struct({ id: ConnectionId })
const one = ok("ConnectionResponse", Connection)

/** Answer to `DELETE /connections/{id}`: what came of DELETE credentials at the partner. */
export const Removed = Schema.Struct({
  _id: ConnectionId,
  /** The partner accepted our DELETE credentials; false also where none was sent. */
  partnerTold: Schema.Boolean,
  message: Schema.String
}).annotations({ identifier: "RemovedConnection" })

/** Operations on the connections that the caller owns. */
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
      .annotate(
        OpenApi.Summary,
        "Enter a partner by its versions URL, with the Token A that it gave, if it gave one"
      )
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
      .setUrlParams(
        Schema.Struct({
          /** `registered`: a handshake that fails is answered 422 with `lastError` as the message, for scripts that look at the status. */
          expect: optional(Schema.Literal("registered"))
        })
      )
      .setHeaders(IdempotencyHeaders)
      .setPayload(HandshakeOrder)
      .addSuccess(one)
      .addError(planRequired)
      .addError(notFound)
      .addError(conflict)
      .addError(unsupported)
      .addError(tooMany)
      .annotate(RequiredScope, "connections:write")
      .annotate(
        OpenApi.Summary,
        "Discover the partner's endpoints and exchange credentials, or rotate them; with `expect=registered` a failure is a 422"
      )
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
      .annotate(
        OpenApi.Summary,
        "Issue our Token A, with which the partner can register with us; it is shown once"
      )
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
      .annotate(
        OpenApi.Summary,
        "Diagnose the connection in both directions, probe by probe; changes nothing"
      )
  )
  .add(
    HttpApiEndpoint.put("setDialect", "/connections/:id/dialect")
      .setPath(path)
      .setPayload(SetDialect)
      .addSuccess(one)
      .addError(conflict)
      .addError(notFound)
      .annotate(RequiredScope, "connections:write")
      .annotate(
        OpenApi.Summary,
        "Override parts of the partner's dialect; parts that are left out do not change"
      )
  )
  .add(
    HttpApiEndpoint.get("exchanges", "/connections/:id/exchanges")
      .setPath(path)
      .setUrlParams(ExchangesParams)
      .addSuccess(ok("ExchangesResponse", Schema.Array(Exchange)))
      .addError(invalid)
      .addError(notFound)
      .annotate(
        OpenApi.Summary,
        "List the exchanges with the partner, from either end, with secrets replaced"
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/connections/:id")
      .setPath(path)
      .addSuccess(ok("RemovedConnectionResponse", Removed))
      .addError(notFound)
      .addError(conflict)
      .annotate(RequiredScope, "connections:write")
      .annotate(OpenApi.Summary, "Unregister at the partner and delete the secrets; reports stay")
  )
  .middleware(Authentication)
  .annotate(OpenApi.Description, "Partner endpoints that the caller owns") {}
