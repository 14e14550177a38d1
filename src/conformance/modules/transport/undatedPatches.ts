/**
 * What a partner does with a PATCH without last_updated (mod_locations, mod_sessions and mod_tokens, PATCH Method): of a token at a
 * CPO, of a location and of a session at an EMSP. Tariffs have no PATCH.
 */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { statusLine, succeeded } from "../../../findings/answers.ts"
import { refused } from "../../../findings/expectations.ts"
import { blocked, type Check, either, inconclusive, noneOf, type SuiteScope } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { script } from "../shared/receivers/receiverScript.ts"
import { objectSteps } from "../shared/receivers/receiverSteps.ts"
import { stepOf } from "../shared/stepAnswers.ts"
import { ourObjects, testObject } from "./testObjects.ts"

const { patch, put } = objectSteps(ourObjects)

/** PUT of a token, and the PATCH. An EMSP is asked in the scripts of its modules. */
export const undatedScript = script("no-stamp", [
  put("put", testObject("stamp")),
  patch("patch", testObject("stamp"), () => ({ valid: false }), {
    isIn: ({ patchNeedsLastUpdated }) => patchNeedsLastUpdated,
    wrongOnPurpose: { body: "last_updated is missing" }
  })
])

/** The PATCH, the PUT of its object, and the check of that PUT; a PATCH of such an object that is valid, and its check. */
interface Undated {
  readonly patch: string
  readonly put: string
  readonly check: string
  readonly noun: string
  readonly valid: { readonly answers: string; readonly check: string }
}

const undatedIn = ({ role }: Pick<SuiteScope, "role">): ReadonlyArray<Undated> =>
  role === "CPO"
    ? [
        {
          put: "objects.no-stamp#put",
          patch: "objects.no-stamp#patch",
          check: "TOK-101",
          noun: "token",
          valid: { answers: "tokens.write#patch", check: "TOK-103" }
        }
      ]
    : [
        {
          put: "locations.name#put",
          patch: "locations.name#patch undated",
          check: "LOC-101",
          noun: "location",
          valid: { answers: "locations.name#patch", check: "LOC-105" }
        },
        {
          put: "sessions.write#put one period",
          patch: "sessions.write#patch undated",
          check: "SESS-101",
          noun: "session",
          valid: { answers: "sessions.write#patch", check: "SESS-103" }
        }
      ]

/** Where a PATCH with last_updated is refused, too, that this one is refused proves nothing. */
const isLikeValid = (evidence: Evidence, { valid }: Undated): boolean => {
  const seen = stepOf(evidence, valid.answers)
  return seen !== undefined && !succeeded(seen)
}

/** Judges the PATCHes of objects that the partner has taken. */
export const undatedChecks: ReadonlyArray<Check> = [
  {
    id: "TRANS-052",
    module: "transport",
    versions: versionsWhere(({ patchNeedsLastUpdated }) => patchNeedsLastUpdated),
    roles: either,
    mode: "MUT",
    title: "PATCH without last_updated is refused",
    strength: "should",
    reference:
      "status_codes, 2001; mod_locations, PATCH Method; mod_sessions, PATCH Method; mod_tokens, PATCH Method",
    sends: "PATCH without last_updated of a token at a CPO, of a location and of a session at an EMSP",
    passes: "status_code 2001",
    hint: "Refuse a PATCH without last_updated with status_code 2001.",
    needs: (scope) => undatedIn(scope).flatMap((one) => [one.put, one.patch]),
    requires: (scope) =>
      undatedIn(scope).map(({ noun, valid }) => ({
        ...valid,
        what: `a PATCH of a ${noun} with last_updated`,
        unless: (evidence) => !undatedIn(scope).every((one) => isLikeValid(evidence, one))
      })),
    partial: true,
    judge: (evidence) => {
      const all = undatedIn({ role: evidence.party.counterpart.role }).flatMap((one) => {
        const [written, patched] = [one.put, one.patch].map((step) => stepOf(evidence, step))
        return written === undefined || patched === undefined || isLikeValid(evidence, one)
          ? []
          : [{ check: one.check, patched, written }]
      })
      const [first] = all
      if (first === undefined) return inconclusive("not_tested", "the request was not sent")
      const due = all.filter(({ written }) => succeeded(written))
      return due.length > 0
        ? noneOf(
            due.flatMap(({ patched }) => refused("status_code 2001")(patched)),
            due.map(({ patched }) => statusLine(patched)).join("; ")
          )
        : blocked({
            check: first.check,
            exchangeId: first.written.exchange.id,
            what: `a plain PUT has to be accepted first, and it was answered ${statusLine(first.written)}`
          })
    }
  }
]
