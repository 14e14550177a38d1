/** Diagnosis of a connection before anything is graded: one probe after the other, from the network up to the endpoints. */
import { Schema } from "effect"
import { ConnectionId } from "./Ids.ts"

/** In the order in which they are made. Each but `callback` needs those before it. */
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

/** What kind of thing is wrong; `lastError` of a connection begins with the same words. */
export const RegistrationErrorKind = Schema.Literal("config", "network", "auth", "protocol", "unsupported")
export type RegistrationErrorKind = typeof RegistrationErrorKind.Type

export const PreflightProbe = Schema.Struct({
  id: ProbeId,
  title: Schema.String,
  outcome: Schema.Literal("ok", "failed", "skipped"),
  /** Null unless it failed. */
  class: Schema.NullOr(RegistrationErrorKind),
  /** What was seen, or why it was skipped. */
  message: Schema.String,
  /** What to do about it; null unless it failed. */
  nextAction: Schema.NullOr(Schema.String)
}).annotations({ identifier: "PreflightProbe" })
export type PreflightProbe = typeof PreflightProbe.Type

export const Preflight = Schema.Struct({
  connectionId: ConnectionId,
  /** No probe failed. */
  ready: Schema.Boolean,
  probes: Schema.Array(PreflightProbe)
}).annotations({ identifier: "Preflight" })
export type Preflight = typeof Preflight.Type
