/** A server that could not be started, in words. */
import { Data } from "effect"

/** The address cannot be listened on; `message` says why and what to do. */
export class ListenFailed extends Data.TaggedError("ListenFailed")<{ readonly message: string }> {}

/** What the platform's failure means for whoever chose the address. */
export const listenFailed = (
  { host, port }: { readonly host: string; readonly port: number },
  cause: unknown
): ListenFailed => {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined
  const reason =
    code === "EADDRINUSE"
      ? "another program listens there"
      : code === "EACCES"
        ? "this user may not listen there"
        : code === "EADDRNOTAVAIL" || code === "ENOTFOUND"
          ? "the host is not an address of this machine"
          : String(cause)
  return new ListenFailed({
    message: `Cannot listen on ${host}, port ${port}: ${reason}. Choose others with HOST and PORT`
  })
}
