/** What a check needs beside a partner that answers, by kind: what an order can ask for or leave out. */
import { Schema } from "effect"

/**
 * `partner_acts`: a driver or an operator at the partner does something. `partner_data`: the partner has objects of a kind
 * that not everybody has. `second_registration`: a second connection of ours at the partner. `risk`: the check may end the
 * registration, or makes us misbehave.
 */
export const Need = Schema.Literal("partner_acts", "partner_data", "second_registration", "risk").annotations(
  {
    identifier: "Need"
  }
)
export type Need = typeof Need.Type
