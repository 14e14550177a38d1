/** The error of a server that cannot listen. */
import { Data } from "effect"

/** The server cannot listen on its address; `message` says why and what to change. */
class ListenFailed extends Data.TaggedError("ListenFailed")<{ readonly message: string }> {}

/** Translates Node's error code into a message about HOST and PORT. */
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
