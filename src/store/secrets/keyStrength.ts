/** How hard a chosen key is to guess, estimated from its text alone. */
import { apiKeyBody } from "./apiKey.ts"

/** Characters that a key needs at least. 32 hexadecimal digits are 128 bits. */
const minLength = 32
/** Estimated bits that a key needs; keys made at random have more from 32 characters on. */
const minBits = 88

/**
 * Why a text is easy to guess, in words that reveal nothing of it ("has 20 characters, of at least 32"); undefined for a
 * text that looks random.
 */
export function weaknessOf(text: string): string | undefined {
  // Of a key of our own form the first and the last characters are no secret.
  const secret = apiKeyBody(text) ?? text
  if (secret.length < minLength) return `has ${secret.length} characters, of at least ${minLength}`
  return estimatedBits(secret) < minBits
    ? "is made of words, repetitions or sequences rather than at random"
    : undefined
}

/**
 * Bits to guess for an attacker who tries repetitions, sequences and words first. A character counts by the kinds of
 * characters in the text; it counts less as the next letter of a word or as a sign between words, and nothing when it
 * continues a sequence (`aaaa`, `1234`, `dcba`) or repeats, together with the two before it, an earlier part.
 */
function estimatedBits(text: string): number {
  const each = Math.log2(alphabetOf(text))
  const folded = text.toLowerCase()
  let bits = 0
  for (let at = 0; at < text.length; at++) {
    if (at >= 2 && (carriesOn(folded, at) || wasThere(folded, at))) continue
    const isEasy = /[^0-9a-z]/.test(folded[at]!) || (at >= 1 && isInWord(folded, at))
    bits += isEasy ? easy : each
  }
  return bits
}

/** Bits for a letter of a word, or for a sign between two words. */
const easy = 1

/** The most frequent pairs of letters in English, and in names in software. */
const pairs = new Set(
  (
    "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic " +
    "ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un " +
    "lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev " +
    "ld ry mp fe bl ab gh ty op wo sa ay ex ke fr oo av ag if ap gr od bo sp rd do uc bu ei ov by rm ep tt oc fa ef cu " +
    "rn sc gi da yo cr cl du ga qu ue ff ba ey ls va um pp ua up lu go ht ru ug ds lt pi rc rr eg au ck ew mu br bi pt " +
    "ak pu ui rg ib tl ny ki rk ys ob mm fu ph og ms ye ud mb ip ub oi rl gu dr hr cc tw ft wn nu af hu nn eo vo rv nf " +
    "qw rt yu sd df fg hj jk kl zx xc cv vb bn nm"
  ).split(" ")
)
const isInWord = (text: string, at: number): boolean => pairs.has(text.slice(at - 1, at + 1))

const kinds: ReadonlyArray<readonly [RegExp, number]> = [
  [/[0-9]/, 10],
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[^0-9a-zA-Z]/, 2]
]

/** The size of the alphabet, judged by the kinds of characters in the text. */
function alphabetOf(text: string): number {
  if (/^([0-9a-f]*|[0-9A-F]*)$/.test(text)) return 16
  return kinds.reduce((sum, [kind, size]) => sum + (kind.test(text) ? size : 0), 0)
}

/** Does the character continue a sequence: the same step, of one at most, as the step before? */
function carriesOn(text: string, at: number): boolean {
  const step = text.charCodeAt(at) - text.charCodeAt(at - 1)
  return Math.abs(step) <= 1 && step === text.charCodeAt(at - 1) - text.charCodeAt(at - 2)
}

/** Do this character and the two before it also occur earlier in the text? */
const wasThere = (text: string, at: number): boolean => text.indexOf(text.slice(at - 2, at + 1)) < at - 2
