/** What may go into a text column, and what can be an id. Postgres knows no NUL character. */

/** Has it the form of an id of ours? Anything else is simply not found, and never reaches the database. */
export const isId = (text: string): boolean => /^[A-Za-z0-9_-]{1,128}$/.test(text)

/** The text with each NUL replaced by U+FFFD. */
export const storable = (text: string): string => text.replaceAll("\0", "\uFFFD")

/** ISO 8601 UTC with milliseconds, or null. */
export const isoOrNull = (instant: Date | null): string | null => instant?.toISOString() ?? null
