/** What is wrong, in words that someone new to OCPI understands; and the shape of every question asked here. */
import type { Exchange } from "../../schema/Exchange.ts"

export interface Flaw {
  /** A whole sentence's worth: what is wrong, where. */
  readonly message: string
  /** JSON Pointer (RFC 6901) into the JSON body that was judged; empty string = the whole. Absent: not about the body. */
  readonly pointer?: string
  readonly expected?: string
  readonly actual?: string
}

/** A question about one exchange: undefined when all is fine. Pure; says nothing of how grave the flaw is. */
export type ExchangeRule = (exchange: Exchange) => Flaw | undefined
