import { originOf } from "../../ocpi/audience.ts"
import type { Observation } from "./Evidence.ts"

/** Was there no answer because a URL of the partner leads to another host, where nothing may go or nobody answers? */
export const isBlockedLink = ({ exchange: { fault, request, response }, linkedFrom }: Observation): boolean =>
  response === null &&
  (fault?.kind === "other_host" ||
    (linkedFrom !== undefined && originOf(linkedFrom) !== originOf(request.url)))
