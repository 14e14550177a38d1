/** The driver's token in the partner's list and in our own. */
import type { PartyObject } from "../../../store/parties/PartyStore.ts"
import type { ExchangeAct } from "../../model/Act.ts"
import type { RunHistory } from "../../model/RunHistory.ts"
import { type Driver, tokenOf, tokenQuery, tokenUidOf } from "../charge/driver.ts"
import { readTokenBack } from "../charge/readBacks.ts"

/** An act that PUTs the token to the partner. */
export const tokenPut = (driver: Driver): ExchangeAct => ({
  act: "exchange",
  sends: "PUT tokens",
  call: (history) => ({
    module: "tokens",
    interfaceRole: "RECEIVER",
    operation: "PUT token",
    method: "PUT",
    path: [history.us.countryCode, history.us.partyId, tokenUidOf(history)],
    ...tokenQuery(history, driver),
    body: tokenOf(history, driver)
  }),
  readBack: readTokenBack(driver)
})

/** The token as an own object of our party, which answers for it. */
export const keptToken = (history: RunHistory, driver: Driver): PartyObject => ({
  module: "tokens",
  key: tokenUidOf(history),
  side: "own",
  json: tokenOf(history, driver),
  lastUpdated: history.createdAt
})
