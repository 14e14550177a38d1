/** Which of our requests ask for a page of a list, and which for one object: what is asked tells what is due. */
import type { CallRequest } from "./CallRequest.ts"

/** As much of a request as tells it. */
export type Wanting = Pick<CallRequest, "module" | "interfaceRole" | "path" | "url"> & {
  readonly method?: CallRequest["method"]
}

/** Modules of a registration: what is odd about their answers the handshake notes. */
const ofRegistration = ["versions", "credentials"]

/** Is it a call of discovery or of credentials? */
export const isOfRegistration = ({ module }: Wanting): boolean => ofRegistration.includes(module)

/** Undefined where it cannot be told: behind a URL of the partner's own, and for what is answered without content. */
export const dueTo = ({
  interfaceRole,
  method = "GET",
  module,
  path,
  url
}: Wanting): "list" | "object" | undefined => {
  if (url !== undefined || ofRegistration.includes(module)) return undefined
  if (method === "POST") return module === "commands" || module === "tokens" ? "object" : undefined
  if (method !== "GET") return undefined
  if (path !== undefined && path.length > 0) return "object"
  return interfaceRole === "SENDER" ? "list" : undefined
}
