/**
 * Requests to a whole URL (`GET http://host/path`), as clients send them to a proxy. A server has to take them (RFC 9112, 3.2.2), and what
 * decides by the path would see none in them.
 */
import type { IncomingMessage, Server } from "node:http"

/** Makes the URL of each request begin with its path; scheme and host of the request are not looked at. Call it before other listeners. */
export const readOriginForm = (server: Server): void => {
  server.on("request", (request: IncomingMessage) => {
    request.url = originForm(request.url ?? "/")
  })
}

/** Path and query of the target of a request; what is no URL stays, and is refused later. */
export const originForm = (target: string): string => {
  const [whole] = /^https?:\/\/[^/?#]+/i.exec(target) ?? []
  if (whole === undefined || !URL.canParse(target)) return target
  const rest = target.slice(whole.length)
  return rest.startsWith("/") ? rest : `/${rest}`
}
