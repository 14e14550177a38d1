/** The words of the contract for people, and the tone in which they are shown. */

/** Colour of a badge or a note; the words beside it say the same. */
export type Tone = "good" | "bad" | "warn" | "busy" | "none"

const tones: Readonly<Record<string, Tone>> = {
  pass: "good",
  passed: "good",
  completed: "good",
  registered: "good",
  confirmed: "good",
  warn: "warn",
  warned: "warn",
  interrupted: "warn",
  inconclusive: "warn",
  expired: "warn",
  unknown: "warn",
  waiting: "busy",
  running: "busy",
  recovering: "busy",
  cancelling: "busy",
  active: "busy",
  accepted: "busy",
  sent: "busy",
  fail: "bad",
  failed: "bad",
  rejected: "bad",
  error: "bad"
}

export const toneOf = (word: string): Tone => tones[word] ?? "none"

const words: Readonly<Record<string, string>> = {
  pass: "Passed",
  warn: "Passed with warnings",
  fail: "Failed",
  not_tested: "Not tested",
  not_applicable: "Not applicable",
  unobservable: "Not observable"
}

/** `not_tested` as `Not tested`. */
export const inWords = (word: string): string => words[word] ?? capital(word.replaceAll("_", " "))

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** The words of an id of ours, such as a stage's: `start-result` as `Start result`, `credit-cdr` as `Credit CDR`. Anything else stays. */
export const nameOfId = (id: string): string =>
  /^[a-z0-9-]+$/.test(id)
    ? capital(id.replaceAll("-", " ").replace(/\b(cdr|evse)(?=s?\b)/g, (short) => short.toUpperCase()))
    : id

/** `1 check`, `2 checks`. */
export const count = (many: number, noun: string): string => `${many} ${noun}${many === 1 ? "" : "s"}`

const attributions: Readonly<Record<string, string>> = {
  partner: "Attributed to the partner",
  ours: "Attributed to plugfest",
  network: "Attributed to the network",
  operator: "Attributed to the operator of the run",
  ambiguous: "The text of OCPI has two readings"
}

/** The attribution of a result that did not pass, in words: partner, plugfest, network, operator of the run, or the text of OCPI. */
export const attributedTo = (attribution: string): string =>
  attributions[attribution] ?? `Attributed to: ${inWords(attribution)}`

/** A sentence that names the party that must act: `partner`, `operator` or `clock`; else plugfest. */
export const whoActs = (party: string): string =>
  party === "partner"
    ? "The partner has to act"
    : party === "operator"
      ? "You have to act"
      : party === "clock"
        ? "Time has to pass"
        : "plugfest acts"
