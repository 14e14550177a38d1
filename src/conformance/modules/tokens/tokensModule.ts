/** mod_tokens: its checks, and the probes that they need. */
import type { CheckModule } from "../../model/CheckModule.ts"
import { tokens } from "../shared/objects/ListedKind.ts"
import { stampChecks } from "../shared/readings/stampChecks.ts"
import { authorizeChecks } from "./authorize.ts"
import { authorizeProbes } from "./authorizeProbes.ts"
import { authorizeRequestsChecks } from "./authorizeRequests.ts"
import { localStartsChecks } from "./localStarts.ts"
import { sentTokensChecks } from "./sentTokens.ts"
import { shownCardsChecks } from "./shownCards.ts"
import { shownCardsProbes } from "./shownCardsProbes.ts"
import { tokensChecks } from "./tokens.ts"
import { tokenWrites } from "./tokenWrites.ts"
import { verdictPlacesChecks } from "./verdictPlaces.ts"
import { verdictPlacesProbes } from "./verdictPlacesProbes.ts"

/** Checks of tokens, with the probes for each role of the partner. */
export const tokensModule: CheckModule = {
  checks: [
    ...stampChecks(tokens, { changed: "TOK-030", still: "TOK-031" }),
    ...authorizeChecks,
    ...authorizeRequestsChecks,
    ...localStartsChecks,
    ...sentTokensChecks,
    ...shownCardsChecks,
    ...tokenWrites.checks,
    ...tokensChecks,
    ...verdictPlacesChecks
  ],
  probes: (_, role) => [
    ...(role === "CPO"
      ? [...shownCardsProbes, ...tokenWrites.probes]
      : [...authorizeProbes, ...verdictPlacesProbes])
  ]
}
