/** The row of 2.2.1. Its objects are written out in `../v2_2_1/`; the other versions spread their fields and name what differs. */
import type { VersionProfile } from "../VersionProfile.ts"
import { CDR } from "../v2_2_1/Cdr.ts"
import { StartSession } from "../v2_2_1/Command.ts"
import { Connector } from "../v2_2_1/Connector.ts"
import { EVSE } from "../v2_2_1/Evse.ts"
import { Location } from "../v2_2_1/Location.ts"
import { Session } from "../v2_2_1/Session.ts"
import { v2_2 } from "./v2_2.ts"

/** OCPI 2.2.1: no difference in transport to 2.2, except that the token in the header is Base64 beyond doubt. */
export const v2_2_1: VersionProfile = {
  ...v2_2,
  version: "2.2.1",
  rank: 3,
  authorizationDisputed: false,
  tokenReferenceOwner: true,
  parkingTime: "not_requesting_power",
  preferencesUnableBy: "CHARGING_PREFERENCES_CAPABLE",
  startSessionConnector: true,
  objects: { ...v2_2.objects, Location, EVSE, Connector, Session, CDR, START_SESSION: StartSession }
}
