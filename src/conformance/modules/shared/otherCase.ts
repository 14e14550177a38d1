/** Ids are compared without regard to case (types, CiString type): an id as another system may write it. */

/** Does the id have letters, so that there is another case of it? */
export const hasLetters = (id: string): boolean => /[a-z]/i.test(id)

/** The text with each letter in the other case. */
export const inOtherCase = (text: string): string =>
  [...text]
    .map((letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()))
    .join("")
