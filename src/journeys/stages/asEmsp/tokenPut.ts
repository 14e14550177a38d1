/** The driver's token in the partner's list and in ours. */
import type { PartyObject } from "../../../store/parties/PartyStore.ts"
import type { ExchangeAct } from "../../model/Act.ts"
import type { Memory } from "../../model/Memory.ts"
import { type Driver, tokenOf, tokenQuery, tokenUidOf } from "../charge/driver.ts"
import { readTokenBack } from "../charge/readBacks.ts"

/** Puts the token into the partner's list. */
export const tokenPut = (driver: Driver): ExchangeAct => ({
  act: "exchange",
  sends: "PUT tokens",
  call: (memory) => ({
    module: "tokens",
    interfaceRole: "RECEIVER",
    operation: "PUT token",
    method: "PUT",
    path: [memory.us.countryCode, memory.us.partyId, tokenUidOf(memory)],
    ...tokenQuery(memory, driver),
    body: tokenOf(memory, driver)
  }),
  readBack: readTokenBack(driver)
})

/** The token as our own party keeps it, to answer for it. */
export const keptToken = (memory: Memory, driver: Driver): PartyObject => ({
  module: "tokens",
  key: tokenUidOf(memory),
  side: "own",
  json: tokenOf(memory, driver),
  lastUpdated: memory.createdAt
})
