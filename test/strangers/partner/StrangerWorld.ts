/** The time that a stranger lives in, and who hears of messages that are under way. */
export interface StrangerWorld {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly sleep: (millis: number) => Promise<void>
  /** A message with that id was sent, to that URL when it is a request, and has not arrived. */
  readonly sent: (id: string, url?: string) => void
  /** The id of a request that is under way to that URL: one for a page on the web says none itself. */
  readonly requestTo: (url: string) => string | undefined
  /** It has arrived. */
  readonly arrived: (id: string) => void
}
