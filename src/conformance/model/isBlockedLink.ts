import { originOf } from "../../ocpi/audience.ts"
import type { Observation } from "./Evidence.ts"

/** Was there no answer because a URL of the partner leads to another host, where nothing may go or nobody answers? */
export const isBlockedLink = ({ exchange: { fault, request, response }, linkedFrom }: Observation): boolean =>
  response === null &&
  (fault?.kind === "other_host" ||
    (linkedFrom !== undefined && originOf(linkedFrom) !== originOf(request.url)))

/** What the URL differs in from the one that was asked: the whole host, or scheme or port alone. */
export const differsIn = ({ request }: Observation["exchange"], asked: string | undefined): string => {
  const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : url)
  return asked !== undefined && hostOf(asked) === hostOf(request.url)
    ? "another scheme or port of the partner's host"
    : "another host"
}
