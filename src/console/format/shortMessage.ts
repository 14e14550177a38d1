/**
 * The message of a check without the places that stand in it, which are listed beside it or in the check: `… (at /data/0/status
 * of LOC-1), 24 times, also at /data/1/status` is `…, 24 times`. Pure.
 */
export const shortMessage = (message: string): string =>
  message.replace(/ \(at \/[^()]*\)/g, "").replace(/, also at \/[^;]*/g, "")
