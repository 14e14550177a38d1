/** `/sandbox`: partners that plugfest plays as targets of tests, with faults that the caller chooses. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Exchange } from "../../schema/Exchange.ts"
import { IdText, Names } from "../../schema/fields/bounds.ts"
import { CreateSandboxPartner, FaultView, RenewSandboxPartner, SandboxPartner } from "../../schema/Sandbox.ts"
import { Authentication, RequiredScope } from "./Authentication.ts"
import { ok } from "./envelope.ts"
import { conflict, invalid, notFound, planRequired, tooMany, unsupported } from "./failures.ts"
import { ExchangesParams, IdempotencyHeaders } from "./queries.ts"

const path = Schema.Struct({ id: IdText })
const one = ok("SandboxPartnerResponse", SandboxPartner)

/** Body of the PUT that replaces a partner's faults; an empty list makes it conformant. */
const SetFaults = Schema.Struct({ faults: Names(1000) }).annotations({
  identifier: "SetFaults"
})

/** Operations on sandbox partners and the fault library. */
export class SandboxApi extends HttpApiGroup.make("sandbox")
  .add(
    HttpApiEndpoint.post("create", "/sandbox/partners")
      .setHeaders(IdempotencyHeaders)
      .setPayload(CreateSandboxPartner)
      .addSuccess(one, { status: 201 })
      .addError(invalid)
      .addError(planRequired)
      .addError(notFound)
      .addError(conflict)
      .addError(unsupported)
      .addError(tooMany)
      .annotate(RequiredScope, "connections:write")
      .annotate(OpenApi.Summary, "Make a sandbox partner; this answer shows its Token A, and no other does")
  )
  .add(
    HttpApiEndpoint.get("list", "/sandbox/partners")
      .addSuccess(ok("SandboxPartnersResponse", Schema.Array(SandboxPartner)))
      .annotate(OpenApi.Summary, "List the caller's sandbox partners")
  )
  .add(
    HttpApiEndpoint.get("read", "/sandbox/partners/:id")
      .setPath(path)
      .addSuccess(one)
      .addError(notFound)
      .annotate(OpenApi.Summary, "Read one sandbox partner")
  )
  .add(
    HttpApiEndpoint.get("exchanges", "/sandbox/partners/:id/exchanges")
      .setPath(path)
      .setUrlParams(ExchangesParams)
      .addSuccess(ok("SandboxExchangesResponse", Schema.Array(Exchange)))
      .addError(invalid)
      .addError(notFound)
      .annotate(
        OpenApi.Summary,
        "List what a sandbox partner was asked and has asked, from either end, as it saw it"
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/sandbox/partners/:id")
      .setPath(path)
      .addSuccess(one)
      .addError(conflict)
      .addError(notFound)
      .annotate(RequiredScope, "connections:write")
      .annotate(OpenApi.Summary, "Remove a sandbox partner and its data")
  )
  .add(
    HttpApiEndpoint.post("issueToken", "/sandbox/partners/:id/token")
      .setPath(path)
      .setHeaders(IdempotencyHeaders)
      .addSuccess(one, { status: 201 })
      .addError(conflict)
      .addError(notFound)
      .annotate(RequiredScope, "connections:write")
      .annotate(
        OpenApi.Summary,
        "Issue another Token A of a partner that is not registered, in place of the one before; this answer shows it, and no other does"
      )
  )
  .add(
    HttpApiEndpoint.put("setFaults", "/sandbox/partners/:id/faults")
      .setPath(path)
      .setPayload(SetFaults)
      .addSuccess(one)
      .addError(invalid)
      .addError(conflict)
      .addError(notFound)
      .annotate(RequiredScope, "connections:write")
      .annotate(OpenApi.Summary, "Replace the faults of a sandbox partner")
  )
  .add(
    HttpApiEndpoint.post("handshake", "/sandbox/partners/:id/handshake")
      .setPath(path)
      .setHeaders(IdempotencyHeaders)
      .setPayload(RenewSandboxPartner)
      .addSuccess(one)
      .addError(conflict)
      .addError(notFound)
      .addError(unsupported)
      .annotate(RequiredScope, "connections:write")
      .annotate(
        OpenApi.Summary,
        "Make a registered partner renew its credentials with us by PUT, optionally in another version"
      )
      .annotate(OpenApi.Transform, (operation) => ({
        ...operation,
        requestBody: { ...operation["requestBody"], required: false }
      }))
  )
  .add(
    HttpApiEndpoint.del("leave", "/sandbox/partners/:id/registration")
      .setPath(path)
      .addSuccess(one)
      .addError(conflict)
      .addError(notFound)
      .addError(unsupported)
      .annotate(RequiredScope, "connections:write")
      .annotate(
        OpenApi.Summary,
        "Make a registered partner end its registration with us by DELETE credentials"
      )
  )
  .add(
    HttpApiEndpoint.get("faults", "/sandbox/faults")
      .addSuccess(ok("FaultsResponse", Schema.Array(FaultView)))
      .annotate(OpenApi.Summary, "The library of faults, each with the checks that catch it")
  )
  .middleware(Authentication)
  .annotate(OpenApi.Description, "Sandbox partners with faults on demand") {}
