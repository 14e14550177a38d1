/** Kinds of rules for receiver scripts: what such a check says of itself, and by which proofs it is judged. */

import type { Ambiguity } from "../../../../../schema/Assertion.ts"
import { named, statusLine } from "../../../../findings/answers.ts"
import { noneOf, pass } from "../../../model/Check.ts"
import { judgeRead } from "../readBack.ts"
import { absent, needed, optional, rejected, same, taken, whereTaken } from "./receiverProofs.ts"
import { type Own, type OwnFacts, type Proof, rule, type ScriptRule } from "./receiverScript.ts"
import type { ScriptEvidence, ScriptStep } from "./receiverSteps.ts"

const acceptance = "HTTP 200 or 201, status_code 1000"

/** A kind of rule: the partner accepts what is sent. The title is made from `sends`. */
export const accepts = (
  id: string,
  step: ScriptStep,
  { sends, ...own }: OwnFacts & { readonly sends: string }
): ScriptRule =>
  rule(id, { proofs: [taken(step)], title: `${sends} is accepted`, sends, passes: acceptance, ...own })

/**
 * A kind of rule: the partner refuses what is sent. The title is made from `sends`; `readings`: those of the text, where it does
 * not say that a partner must refuse it.
 */
export const refuses = (
  id: string,
  step: ScriptStep,
  {
    passes,
    readings,
    sends,
    ...own
  }: OwnFacts & { readonly sends: string; readonly passes: string; readonly readings?: Ambiguity }
): ScriptRule =>
  rule(id, {
    proofs: [
      readings === undefined ? rejected(step, passes) : whereTaken(step, readings)(rejected(step, passes))
    ],
    title: `${sends} is refused`,
    strength: "should",
    reference: "status_codes, 2xxx: Client errors",
    sends,
    passes,
    ...own
  })

/** A kind of rule: PUT of a new object is accepted. */
export const creates = (id: string, put: ScriptStep, own: OwnFacts = {}): ScriptRule => ({
  id,
  proofs: [taken(put)],
  facts: (noun) => ({
    title: `PUT of a new ${noun} is accepted`,
    sends: `PUT of a new ${noun}`,
    passes: acceptance,
    hint: `Create the ${noun} when it is not there yet: PUT is for new and for known objects.`,
    ...own
  })
})

/** Seconds after which an object is read again whose write was answered with HTTP 202. */
const queueSeconds = 10

/** HTTP 202 is no status that OCPI names; it refers to those of HTTP. */
const ofQueues = {
  readings: [
    "HTTP 202 says that the request is carried out later, so the object may come later",
    "status_code 1000 says that the request has succeeded, so the object is there"
  ],
  section: "transport_and_format, Response format; status_codes, Success"
} as const satisfies Ambiguity

/** Reads once more a while later what could not be read as it was written, where the write was answered with HTTP 202. */
const later = (read: ScriptStep) => {
  const isDue = (evidence: ScriptEvidence): boolean => {
    const seen = evidence.answerTo(read)
    return (
      seen !== undefined &&
      evidence.isQueued(seen) &&
      judgeRead(seen, read.json(evidence), evidence.profile).is !== "pass"
    )
  }
  const step = (id: string, act: ScriptStep["act"]): ScriptStep => ({
    ...read,
    id: `${read.id}, ${id}`,
    act: (evidence) => (isDue(evidence) ? act(evidence) : undefined)
  })
  return {
    wait: step("wait", () => ({
      pause: queueSeconds,
      instruction: "The partner has time to store what it answered with HTTP 202"
    })),
    again: step("later", (evidence) => read.act(evidence))
  }
}

/** A kind of rule: GET returns the object as it was sent. */
export const returns = (id: string, get: ScriptStep, own: OwnFacts = {}): ScriptRule => {
  const { again, wait } = later(get)
  return {
    ...returnsWith(id, own),
    proofs: [stored(get, again), optional(needed(wait)), optional(needed(again))]
  }
}

/** As `same`, and where only a later reading has the object, that it came late. */
const stored = (get: ScriptStep, again: ScriptStep): Proof => {
  const { judge, ...proof } = same(get, { main: true })
  return {
    ...proof,
    judge: (seen, evidence) => {
      const judgement = judge?.(seen, evidence) ?? pass()
      const second = evidence.answerTo(again)
      const isLate =
        judgement.is === "fail" &&
        second !== undefined &&
        judgeRead(second, get.json(evidence), evidence.profile).is === "pass"
      return isLate
        ? noneOf([
            {
              message: `${named(seen)} did not return the object at once, but ${queueSeconds} s later: the PUT was answered HTTP 202`,
              expected: "HTTP 200 with the object",
              actual: statusLine(seen),
              strength: "should",
              exchangeId: seen.exchange.id,
              ambiguous: ofQueues,
              hint: "Store the object before the answer, or tell CPOs that they cannot read at once what they have sent."
            }
          ])
        : judgement
    }
  }
}

const returnsWith = (id: string, own: OwnFacts): Pick<ScriptRule, "id" | "facts"> => ({
  id,
  facts: (noun) => ({
    title: `GET returns the ${noun} as it was sent`,
    sends: `GET of the ${noun} that was just put`,
    passes: "every field as it was sent",
    hint: "Keep every field that was sent, and give it back on GET as it came.",
    ...own
  })
})

/** A kind of rule: after a second PUT, GET no longer returns what it left out. */
export const replaces = (id: string, { proofs, ...own }: Own): ScriptRule => ({
  id,
  proofs,
  facts: (noun) => ({
    title: `PUT replaces the whole ${noun}`,
    reference: "transport_and_format, PUT",
    sends: `PUT of the same ${noun} without its optional fields, then GET`,
    passes: "the optional fields are gone",
    hint: "Replace the whole object: remove the fields that a PUT leaves out.",
    ...own
  })
})

/** A kind of rule: after a PATCH, GET returns the changed fields and all others as before. */
export const merges = (
  id: string,
  { proofs, ...own }: Own & { readonly sends: string; readonly passes: string }
): ScriptRule => ({
  id,
  proofs,
  facts: (noun) => ({
    title: `PATCH of a ${noun} changes only the fields that it names`,
    hint: "Merge the fields of a PATCH into what is kept; leave the others alone.",
    ...own
  })
})

/** A kind of rule: after a PUT, GET returns every field. */
export const keeps = (
  id: string,
  own: Own & { readonly title: string; readonly sends: string }
): ScriptRule => rule(id, { passes: "stored as it was sent", ...own })

/** A kind of rule: invalid objects are refused with status_code 2001. */
export const refusesInvalid = (
  id: string,
  { proofs, ...own }: Own & { readonly sends: string }
): ScriptRule => ({
  id,
  proofs,
  facts: (noun) => ({
    title: `An invalid ${noun} is refused with status_code 2001`,
    reference: "status_codes, 2xxx: Client errors",
    passes: "status_code 2001 each time",
    hint: "Check required fields, types and enumerations before anything is stored.",
    ...own
  })
})

/** A kind of rule: requests about an object that was never sent, such as PATCH and GET, are refused. */
export const refusesUnknown = (
  id: string,
  { steps, ...own }: OwnFacts & { readonly steps: ReadonlyArray<readonly [ScriptStep, ScriptStep]> }
): ScriptRule => ({
  id,
  proofs: steps.flatMap(([change, read]) => [
    rejected(change),
    absent(read, "an object that was only patched, and never put")
  ]),
  facts: (noun) => ({
    title: `PATCH of an unknown ${noun} is refused`,
    strength: "should",
    reference: "transport_and_format, PATCH",
    sends: `PATCH of an unknown ${noun}, then GET`,
    passes: "HTTP 404 or status_code 2xxx, and nothing was created",
    hint: "Answer HTTP 404 to a PATCH of what is not there; never create an object from a part of it.",
    ...own
  })
})
