/** Tokens of an EMSP (mod_tokens). */
import { type Identity, idFor, type Making, moment, owned } from "./Holdings.ts"
import type { Json } from "./validity.ts"

/** A Token object. */
export const tokenOf = (making: Making, owner: Identity, number: number): Json => {
  const { chance, version } = making
  const contract = `${owner.country}-${owner.party}-C${chance.text("0123456789", 8)}`
  const type = version === "2.1.1" || number % 4 !== 3 ? "RFID" : chance.of(["APP_USER", "AD_HOC_USER"])
  return {
    ...owned(making, owner),
    uid: idFor(making, "CARD", number),
    type,
    [version === "2.1.1" ? "auth_id" : "contract_id"]: contract,
    visual_number: `${owner.country}*${number}`,
    issuer: owner.name,
    group_id: `GROUP-${number % 3}`,
    valid: number % 5 !== 4,
    whitelist: type === "RFID" ? chance.of(["ALLOWED", "NEVER", "ALLOWED_OFFLINE"]) : "NEVER",
    language: chance.of(["de", "en", "nl"]),
    default_profile_type: "REGULAR",
    energy_contract: { supplier_name: "Grüne Kraft", contract_id: `EC-${number}` },
    last_updated: moment(making, -chance.between(2, 300) * 86_400)
  }
}
