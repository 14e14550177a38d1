/** Values that Postgres can store: ids, and texts without NUL. */

/** Does the text have the form of our ids? Any other is treated as not found, without a query. */
export const isId = (text: string): boolean => /^[A-Za-z0-9_-]{1,128}$/.test(text)

/** The text with each NUL replaced by U+FFFD. */
export const storable = (text: string): string => text.replaceAll("\0", "\uFFFD")

/** ISO 8601 UTC with milliseconds, or null. */
export const isoOrNull = (instant: Date | null): string | null => instant?.toISOString() ?? null
