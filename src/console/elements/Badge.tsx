import { inWords, toneOf } from "../format/words.ts"

/** A word of the contract, such as a status or a verdict, in its tone. */
export const Badge = ({ word }: { readonly word: string }) => (
  <span className={`badge ${toneOf(word)}`}>{inWords(word)}</span>
)
