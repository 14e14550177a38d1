/** Where this service is reached. */
import { withoutEndSlashes } from "./ocpi/urls.ts"
import type { Settings } from "./Settings.ts"

/** Root of the URLs that we hand out: PUBLIC_URL, else HOST and PORT, where a host of all addresses becomes 127.0.0.1. */
export const publicUrlOf = ({ host, port, publicUrl }: Settings) => {
  if (publicUrl !== undefined) return withoutEndSlashes(publicUrl)
  return urlOf(isAnyHost(host) ? "127.0.0.1" : host, port)
}

/** Is it an address that stands for all of a machine? */
export const isAnyHost = (host: string) => host === "0.0.0.0" || host === "::"

/** The root of a server; a host with colons is an IPv6 address. */
export const urlOf = (host: string, port: number) =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`
