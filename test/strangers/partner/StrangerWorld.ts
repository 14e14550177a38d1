/** The time that a stranger lives in, and who hears of messages that are under way. */
export interface StrangerWorld {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly sleep: (millis: number) => Promise<void>
  /** A message with that id was sent, and has not arrived. */
  readonly sent: (id: string) => void
  /** It has arrived; one of those under way when it says no id. */
  readonly arrived: (id: string | undefined) => void
}
