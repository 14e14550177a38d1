import { exchangesKey, queries } from "../data/queries.ts"

/** By this key others see that a handshake is under way. */
export const handshakeKey = (id: string) => ["handshake", id]

/** Reads a connection and its exchanges again, after something was done with it. */
export function refreshConnection(id: string): void {
  void queries.invalidateQueries({ queryKey: ["connections"] })
  void queries.invalidateQueries({ queryKey: exchangesKey(id) })
}
