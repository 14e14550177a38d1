/** Why a check matters in practice: what goes wrong for a driver, an operator or the bills when a partner breaks its rule. */
import { chargingReasons } from "./chargingReasons.ts"
import { connectionReasons } from "./connectionReasons.ts"
import { moneyReasons } from "./moneyReasons.ts"

/** Each sentence, with the ids of the checks of which it is true. */
export const reasons: ReadonlyArray<{ readonly sentence: string; readonly checks: ReadonlyArray<string> }> = [
  ...connectionReasons,
  ...chargingReasons,
  ...moneyReasons
].map(([sentence, checks]) => ({ sentence, checks: checks.split(/\s+/) }))

const sentences: ReadonlyMap<string, string> = new Map(
  reasons.flatMap(({ checks, sentence }) => checks.map((id) => [id, sentence] as const))
)

/** The sentence for a check of the catalogue, by its id; undefined for any other id. */
export const whyItMatters = (checkId: string): string | undefined => sentences.get(checkId)
