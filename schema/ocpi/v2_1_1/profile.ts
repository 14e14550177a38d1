/** The oldest version that we speak: one role per connection, plain tokens, no message ids, no routing. */
import { dateTimeForms } from "../DateTime.ts"
import type { VersionProfile } from "../VersionProfile.ts"
import { Version } from "../v2_2_1/Version.ts"
import { Credentials } from "./Credentials.ts"
import { VersionDetails } from "./Version.ts"

/** `credentials` has no interface in OCPI; where a version wants a role beside it, SENDER is what its text advises. */
export const v2_1_1: VersionProfile = {
  version: "2.1.1",
  rank: 1,
  authorization: "raw",
  authorizationDisputed: false,
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
  dateTime: dateTimeForms.seconds,
  objects: { Version, VersionDetails, Credentials }
}
