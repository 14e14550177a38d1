/**
 * Characters that change the direction of the text after them: with one of them a text of a partner could make the rest of a line,
 * a verdict for instance, read otherwise than it is written (CVE-2021-42574).
 */

const marks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** The text with those characters written out, as `\u202e`. */
export const withoutDirections = (text: string): string => text.replace(marks, writtenOut)

/** A character as its escape sequence in JSON. */
export const writtenOut = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
