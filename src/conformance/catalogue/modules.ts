/** The modules of OCPI, and the charge story, with their checks and probes. */
import type { CheckModule } from "../model/CheckModule.ts"
import { cdrsModule } from "../modules/cdrs/cdrsModule.ts"
import { chargeModule } from "../modules/charge/chargeModule.ts"
import { chargingprofilesModule } from "../modules/chargingprofiles/chargingprofilesModule.ts"
import { commandsModule } from "../modules/commands/commandsModule.ts"
import { credentialsModule } from "../modules/credentials/credentialsModule.ts"
import { hubclientinfoModule } from "../modules/hubclientinfo/hubclientinfoModule.ts"
import { locationsModule } from "../modules/locations/locationsModule.ts"
import { pagingModule } from "../modules/paging/pagingModule.ts"
import { paymentsModule } from "../modules/payments/paymentsModule.ts"
import { sessionsModule } from "../modules/sessions/sessionsModule.ts"
import { tariffsModule } from "../modules/tariffs/tariffsModule.ts"
import { tokensModule } from "../modules/tokens/tokensModule.ts"
import { transportModule } from "../modules/transport/transportModule.ts"
import { versionsModule } from "../modules/versions/versionsModule.ts"

/** Every module that has checks. */
export const modules: ReadonlyArray<CheckModule> = [
  versionsModule,
  credentialsModule,
  transportModule,
  pagingModule,
  locationsModule,
  sessionsModule,
  cdrsModule,
  tariffsModule,
  tokensModule,
  commandsModule,
  chargingprofilesModule,
  hubclientinfoModule,
  paymentsModule,
  chargeModule
]
