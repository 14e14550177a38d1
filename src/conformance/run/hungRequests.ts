/**
 * Requests that the partner of a run lets hang until the time limit. After some of one kind no more of it are sent: each would cost
 * the whole time limit, and tell nothing new. Of those that undo something one of each kind is tried all the same.
 */
import type { Exchange } from "../../../schema/Exchange.ts"
import { requestName } from "../../findings/answers.ts"
import { pathSegments } from "../../findings/calledPath.ts"
import type { NotGathered } from "../model/Evidence.ts"
import { isApart } from "../model/isApart.ts"
import { withheldBy } from "../model/Probe.ts"

/** A request that is to be sent. */
interface AskedRequest {
  readonly method: string
  readonly module: string
  readonly url: string
  /** Is it as in ordinary operation, and not wrong on purpose? */
  readonly isUsual: boolean
  /** Does it undo something at the partner, or is it to be done in any case? */
  readonly isOwed?: boolean
}

/** The hung requests of one run. */
interface HungRequests {
  /** Notes an exchange that was made. */
  readonly count: (exchange: Exchange, isUsual: boolean) => void
  /** Why that request is not sent; undefined: nothing is known against it. */
  readonly reason: (asked: AskedRequest) => NotGathered | undefined
}

interface Hung {
  readonly exchange: Exchange
  readonly kind: string
  readonly isUsual: boolean
}

/** After so many of one kind, none of which was answered since, no more are sent. */
const most = 2

/** Method and module; each command is a kind of its own, because a CPO may hand it to a charge point and wait. */
const kindOf = (method: string, module: string, url: string): string =>
  module === "commands" ? `${method} ${pathSegments(url).at(-1)}` : `${method} ${module}`

/** Nothing was sent yet. */
export const makeHungRequests = (): HungRequests => {
  let hung: ReadonlyArray<Hung> = []
  const answered = new Set<string>()
  return {
    count: (exchange, isUsual) => {
      const { module, outcome, request, response } = exchange
      const kind = kindOf(request.method, module, request.url)
      if (response !== null) {
        if (!isApart(module)) answered.add(request.method)
        hung = hung.filter((one) => one.kind !== kind)
      } else if (outcome === "timed_out") hung = [...hung, { exchange, kind, isUsual }]
    },
    reason: ({ isOwed = false, isUsual, method, module, url }) => {
      const kind = kindOf(method, module, url)
      // What hangs at one module may work at another, unless no request with that method was ever answered.
      const isOfMethod = !answered.has(method) && !isApart(module)
      const alike = hung.filter(
        (one) =>
          (one.kind === kind || (isOfMethod && one.exchange.request.method === method)) &&
          // What is right may be answered although what is wrong hangs.
          (one.isUsual || !isUsual)
      )
      const [first] = alike
      if (first === undefined || alike.length < most) return undefined
      // What would stay at the partner is worth the time limit once: that other requests with its method hang does not say that it does.
      if (isOwed && alike.every((one) => one.kind !== kind)) return undefined
      const names = [...new Set(alike.map(({ exchange }) => requestName(exchange)))]
      const more = names.length > most ? ` and ${names.length - most} other requests` : ""
      const by = withheldBy({
        exchangeId: first.exchange.id,
        what: `${names.slice(0, most).join(" and ")}${more} got no HTTP answer within the time limit, so that no other ${alike.every((one) => one.kind === kind) ? kind : method} was sent`
      })
      return { ...by, ofKind: true }
    }
  }
}
