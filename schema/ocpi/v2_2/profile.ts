/** Roles, interfaces, message ids, hubs and routing arrive; everything not named here is as in the version before. */
import type { VersionProfile } from "../VersionProfile.ts"
import { v2_1_1 } from "../v2_1_1/profile.ts"

export const v2_2: VersionProfile = {
  ...v2_1_1,
  version: "2.2",
  rank: 2,
  authorization: "base64",
  endpointRoles: true,
  messageIds: true,
  routingHeaders: true,
  credentialsRoles: true,
  modules: [...v2_1_1.modules, "chargingprofiles", "hubclientinfo"],
  interfaces: {
    CPO: [...v2_1_1.interfaces.CPO, ["chargingprofiles", "RECEIVER"], ["hubclientinfo", "RECEIVER"]],
    EMSP: [...v2_1_1.interfaces.EMSP, ["chargingprofiles", "SENDER"], ["hubclientinfo", "RECEIVER"]]
  },
  commands: [...v2_1_1.commands, "CANCEL_RESERVATION"],
  dateTime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?$/,
  objects: {}
}
