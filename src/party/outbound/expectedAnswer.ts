/** Which of our requests ask for a page of a list, and which for one object. */
import type { CallRequest } from "../wire/CallRequest.ts"

/** The part of a request that says what it asks for. `method` defaults to GET. */
export type RequestTarget = Pick<CallRequest, "module" | "interfaceRole" | "path" | "url"> & {
  readonly method?: CallRequest["method"]
}

/** Modules of a registration: the handshake itself notes deviations in their answers. */
const ofRegistration = ["versions", "credentials"]

/** Is it a request of discovery or of credentials? */
export const isOfRegistration = ({ module }: RequestTarget): boolean => ofRegistration.includes(module)

/**
 * A page of a list, or one object. Undefined for requests of a registration, for a URL that the partner gave, and for requests
 * whose answer has no data.
 */
export const answerKindOf = ({
  interfaceRole,
  method = "GET",
  module,
  path,
  url
}: RequestTarget): "list" | "object" | undefined => {
  if (url !== undefined || ofRegistration.includes(module)) return undefined
  if (method === "POST") return module === "commands" || module === "tokens" ? "object" : undefined
  if (method !== "GET") return undefined
  if (path !== undefined && path.length > 0) return "object"
  return interfaceRole === "SENDER" ? "list" : undefined
}
