/**
 * Replaces secrets in texts: finds them by value, in every encoding in `forms.ts`. The placeholder is stable: the same
 * secret gets the same one everywhere.
 */
import { createHash } from "node:crypto"
import { Redacted } from "effect"
import { findForms } from "./findForms.ts"
import { formsOf, tokenForms } from "./forms.ts"
import { unescaped } from "./unescaped.ts"

/** The secrets to replace, with the names for their placeholders (`tokenA`, `tokenB`, `tokenC`). */
export type Secrets = ReadonlyArray<{ readonly name: string; readonly value: Redacted.Redacted<string> }>

/** Replaces the secrets in a text by placeholders. */
export type Scrub = (text: string) => string

/** Shorter values may be parts of words. */
const shortest = 8

/** Values of letters only that are shorter may be words. */
const shortestOfLetters = 16

/**
 * Whether the value is distinctive enough to be replaced anywhere in a text. A value of fewer than 8 characters, or of fewer
 * than 16 letters and underscores only, may be an ordinary word of OCPI; it is replaced only where it is used as a token.
 */
export const isTelling = (value: string): boolean =>
  value.length >= (/^[A-Za-z_]*$/.test(value) ? shortestOfLetters : shortest)

/** Whether `scrub` replaces the value wherever it stands in a text. */
export const isFoundAnywhere = (value: string): boolean => value.length >= shortest

/** `«tokenB:3f2a»`: the name and the first four hex digits of the value's SHA-256. */
export const placeholder = (name: string, value: string): string =>
  `«${name}:${createHash("sha256").update(value).digest("hex").slice(0, 4)}»`

/**
 * Replaces every form of every secret: plain, JSON-escaped, URL-encoded, hexadecimal, Base64 (padded, unpadded, URL-safe,
 * with an encoded line feed or scheme, or inside a longer encoded text). Exactly the Base64 form becomes `base64(«…»)`, so
 * that evidence still shows how a token was sent. Values of fewer than 8 characters are replaced only as a quoted string or
 * after `Token`.
 */
export const scrub = (secrets: Secrets): Scrub =>
  scrubbing(secrets, (plain, mark) =>
    !isFoundAnywhere(plain)
      ? [[JSON.stringify(plain), `"${mark}"`], ...tokenForms(plain, mark)]
      : formsOf(plain, mark)
  )

/** Like `scrub`, but values that are not distinctive (`isTelling`) are replaced only after `Token`; for data that we keep using. */
export const scrubTelling = (secrets: Secrets): Scrub =>
  scrubbing(secrets, (plain, mark) => (isTelling(plain) ? formsOf(plain, mark) : tokenForms(plain, mark)))

function scrubbing(
  secrets: Secrets,
  forms: (plain: string, mark: string) => ReadonlyArray<readonly [string, string]>
): Scrub {
  const replacements = new Map<string, string>()
  for (const { name, value } of secrets) {
    const plain = Redacted.value(value)
    if (plain === "") continue
    const all = forms(plain, placeholder(name, plain))
    // A secret that itself looks escaped (`a%41b`) changes when the text around it is unescaped.
    const plainly = all.map(([form, replacement]) => [unescaped(form), replacement] as const)
    for (const [form, replacement] of [...all, ...plainly.filter(([form]) => form.length >= shortest)]) {
      if (!replacements.has(form)) replacements.set(form, replacement)
    }
  }
  if (replacements.size === 0) return (text) => text
  const { replaced, shortestForm } = findForms(replacements)
  return (text) => {
    if (text.length < shortestForm) return text // nor has it a secret in needless escapes: they only make it longer
    const direct = replaced(text)
    // A text in UTF-16 that was read as UTF-8 has NUL between its letters.
    const plainly = unescaped(text.includes("\0") ? text.replaceAll("\0", "") : text)
    if (plainly === text) return direct
    const clean = replaced(plainly)
    // Evidence stays as it was sent, but where a secret is escaped more than it need be: then all of the text is unescaped.
    return clean === plainly || clean === unescaped(direct.replaceAll("\0", "")) ? direct : clean
  }
}
