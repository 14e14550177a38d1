/** Diagnosis of a connection before grading: probes in order, from the network up to the endpoints. */
import { Schema } from "effect"
import { ConnectionId } from "./Ids.ts"

/** The probes in order. Each except `callback` needs those before it. */
export const ProbeId = Schema.Literal(
  "egress",
  "dns",
  "tcp",
  "tls",
  "versions",
  "token",
  "version",
  "endpoints",
  "callback"
)
export type ProbeId = typeof ProbeId.Type

/** The kind of a failed registration or probe; `lastError` of a connection begins with it. */
export const RegistrationErrorKind = Schema.Literal("config", "network", "auth", "protocol", "unsupported")
export type RegistrationErrorKind = typeof RegistrationErrorKind.Type

/** The result of one probe. */
export const PreflightProbe = Schema.Struct({
  id: ProbeId,
  title: Schema.String,
  outcome: Schema.Literal("ok", "failed", "skipped"),
  /** Null unless it failed. */
  class: Schema.NullOr(RegistrationErrorKind),
  /** What was seen, or why the probe was skipped. */
  message: Schema.String,
  /** What to do about it; null unless it failed. */
  nextAction: Schema.NullOr(Schema.String)
}).annotations({ identifier: "PreflightProbe" })
export type PreflightProbe = typeof PreflightProbe.Type

/** Answer to `POST /connections/{id}/preflight`. */
export const Preflight = Schema.Struct({
  connectionId: ConnectionId,
  /** True when every probe is ok. `tls` may be skipped: where the URL is http there is none. */
  ready: Schema.Boolean,
  probes: Schema.Array(PreflightProbe)
}).annotations({ identifier: "Preflight" })
export type Preflight = typeof Preflight.Type
