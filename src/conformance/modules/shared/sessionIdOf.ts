import { pathSegments } from "../../../findings/calledPath.ts"
import type { Observation } from "../../model/Evidence.ts"

/** The id in the path of a PUT or PATCH of a session: its last segment. */
export const sessionIdOf = ({ exchange }: Observation): string | undefined =>
  pathSegments(exchange.request.url).at(-1)
