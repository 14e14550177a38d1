/** A token as an attacker may send it who knows, or guesses, how tokens are kept: by slot, with a mark, hashed. */
import { createHash } from "node:crypto"
import { lookupOf, tokenHashOf } from "../../src/store/parties/TokenLookup.ts"
import { lookupSlots } from "../../src/store/parties/TokenSlot.ts"

/** Every word that a slot, a name or a mark of a token has, or had, in a store. */
const words = [
  ...lookupSlots,
  "outbound",
  "past",
  "retired",
  "used",
  "tokenA",
  "tokenB",
  "tokenC",
  "Token",
  "plugfest token dead",
  "plugfest token issued"
]

const gaps = ["", " ", "\t", ":", "\0"]

/** Every word before and after it, in three cases, with every gap; white space round it; its case; its hashes. */
export const disguisesOf = (token: string): ReadonlyArray<string> => {
  const spelt = words.flatMap((word) => [word, word.toUpperCase(), word[0]!.toUpperCase() + word.slice(1)])
  const marked = spelt.flatMap((word) =>
    gaps.flatMap((gap) => [`${word}${gap}${token}`, `${token}${gap}${word}`])
  )
  const hashes = (["hex", "base64", "base64url"] as const).flatMap((encoding) => [
    createHash("sha256").update(token).digest(encoding),
    createHash("sha256").update(`dead ${token}`).digest(encoding),
    ...lookupSlots.map((slot) => lookupOf(Buffer.alloc(32), slot, tokenHashOf(token)).toString(encoding))
  ])
  const spaced = [` ${token}`, `${token} `, `\t${token}`, `${token}\n`, `${token}\r\n`, `${token}\0`]
  return [...new Set([...marked, ...hashes, ...spaced, token.toUpperCase(), token.toLowerCase()])].filter(
    (text) => text !== token
  )
}
