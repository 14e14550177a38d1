/**
 * Are these the words of a server for any error of its own, as `Internal Server Error`? Two answers with them need not have one
 * cause.
 */
export const saysAnyError = (words: string): boolean =>
  /^(?:an? )?(?:(?:generic|internal|unexpected|unhandled|unknown|server|system|service|application) ?)*(?:error|exception|failure|fault)(?: (?:has )?occurred)?[.!]?$/i.test(
    words
  ) || /^(?:oops[,!.]? )?something went wrong[.!]?$/i.test(words)
