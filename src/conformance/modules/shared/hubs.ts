/** Partners that are hubs: they hold the objects of the parties that are connected to them, and take those for any of them. */
import { hasHub } from "../../../party/wire/credentialsObject.ts"
import { inconclusive } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import type { ScriptRule } from "./receivers/receiverScript.ts"

/** Does the partner have the role HUB in its credentials (credentials, CredentialsRole class)? */
export const isHub = ({ party }: Pick<Evidence, "party">): boolean => hasHub(party.counterpart.parties)

/** The rule, which a hub need not keep. */
export const notOfHubs = (one: ScriptRule): ScriptRule => ({
  ...one,
  proofs: one.proofs.map((proof) => {
    const { judge } = proof
    return judge === undefined
      ? proof
      : {
          ...proof,
          judge: (seen, evidence) =>
            isHub(evidence)
              ? inconclusive("not_applicable", "the partner is a hub, which takes objects for any EMSP")
              : judge(seen, evidence)
        }
  })
})
