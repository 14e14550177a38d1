/** The oldest version that we speak: one role per connection, plain tokens, no message ids, no routing. */
import type { VersionProfile } from "../VersionProfile.ts"

/** `credentials` has no interface in OCPI; where a version wants a role beside it, SENDER is what its text advises. */
export const v2_1_1: VersionProfile = {
  version: "2.1.1",
  rank: 1,
  authorization: "raw",
  endpointRoles: false,
  messageIds: false,
  routingHeaders: false,
  credentialsRoles: false,
  modules: ["credentials", "locations", "sessions", "cdrs", "tariffs", "tokens", "commands"],
  interfaces: {
    CPO: [
      ["credentials", "SENDER"],
      ["locations", "SENDER"],
      ["sessions", "SENDER"],
      ["cdrs", "SENDER"],
      ["tariffs", "SENDER"],
      ["tokens", "RECEIVER"],
      ["commands", "RECEIVER"]
    ],
    EMSP: [
      ["credentials", "SENDER"],
      ["locations", "RECEIVER"],
      ["sessions", "RECEIVER"],
      ["cdrs", "RECEIVER"],
      ["tariffs", "RECEIVER"],
      ["tokens", "SENDER"],
      ["commands", "SENDER"]
    ]
  },
  commands: ["START_SESSION", "STOP_SESSION", "RESERVE_NOW", "UNLOCK_CONNECTOR"],
  dateTime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?$/,
  objects: {}
}
