/** An EMSP that is told tariffs (mod_tariffs, Receiver Interface): stored as sent, deleted as asked, refused when wrong. */
import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { named, statusLine, succeeded } from "../../model/answers.ts"
import { type Check, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { judgeReadBack } from "../shared/readBack.ts"
import { stepOf } from "../shared/waiting.ts"
import { notInvalid, notRejected, taken } from "../shared/writing.ts"
import { optionalFields, wrongTariffSteps, wrote } from "./tariffWritesProbes.ts"

const base = {
  module: "tariffs",
  versions: versionNumbers,
  roles: ["EMSP"],
  mode: "MUT",
  strength: "must",
  reference: "mod_tariffs, Receiver Interface"
} as const

/** Judged when the step before was taken; else what came instead. */
const after =
  (step: string, judge: (evidence: Evidence) => Judgement) =>
  (evidence: Evidence): Judgement => {
    const before = taken(evidence, step)
    return before.is === "pass" ? judge(evidence) : before
  }

export const tariffWriteChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "TAR-101",
    title: "Takes a new tariff",
    sends: "PUT of a new tariff",
    passes: "HTTP 200 or 201, status_code 1000",
    hint: "Create the tariff when it is not there yet: PUT is for new and known ones.",
    needs: () => ["tariffs.write#put"],
    judge: (evidence) => taken(evidence, "tariffs.write#put")
  },
  {
    ...base,
    id: "TAR-102",
    title: "Gives a tariff back as it was sent",
    sends: "GET of the tariff that was just put",
    passes: "every field as it was sent; elements and components in their order",
    hint: "The order of elements and components counts: keep it.",
    needs: () => ["tariffs.write#read back"],
    judge: (evidence) =>
      judgeReadBack(evidence, "tariffs.write#read back", wrote.put(evidence), { main: true })
  },
  {
    ...base,
    id: "TAR-103",
    title: "Replaces the whole tariff by PUT",
    reference: "transport_and_format, PUT",
    sends: "PUT of the same tariff with other elements and without its optional fields, then GET",
    passes: "the elements are the new ones, the optional fields are gone",
    hint: "A PUT is the whole object: what it has not is not there any more.",
    needs: () => ["tariffs.write#replace", "tariffs.write#read replaced"],
    judge: after("tariffs.write#replace", (evidence) =>
      judgeReadBack(evidence, "tariffs.write#read replaced", wrote.replaced(evidence), {
        gone: optionalFields
      })
    )
  },
  {
    ...base,
    id: "TAR-104",
    title: "Deletes a tariff",
    sends: "DELETE of a tariff that was put, then GET",
    passes: "status_code 1000; the tariff is not found any more",
    needs: () => ["tariffs.delete#delete", "tariffs.delete#read deleted"],
    judge: after("tariffs.delete#delete", (evidence) => {
      const seen = stepOf(evidence, "tariffs.delete#read deleted")
      return noneOf(
        seen === undefined || !succeeded(seen)
          ? []
          : [
              {
                message: `${named(seen)} still finds the tariff that was deleted`,
                expected: "HTTP 404",
                actual: statusLine(seen),
                exchangeId: seen.exchange.id
              }
            ]
      )
    })
  },
  {
    ...base,
    id: "TAR-105",
    title: "Does not delete what it does not have",
    strength: "should",
    reference: "status_codes, Client errors",
    sends: "DELETE of an unknown tariff",
    passes: "HTTP 404 or status_code 2xxx",
    needs: () => ["tariffs.unknown#delete"],
    judge: (evidence) =>
      noneOf(evidence.answered("tariffs.unknown#delete").flatMap((seen) => notRejected(seen)))
  },
  {
    ...base,
    id: "TAR-106",
    versions: versionsWhere(({ tariffPatch }) => tariffPatch),
    title: "Changes the elements of a tariff, and nothing else of it",
    sends: "PATCH of a tariff's elements, then GET",
    passes: "the elements are the new ones, every other field as before",
    hint: "Merge the fields of a PATCH into what is kept; leave the others alone.",
    needs: () => ["tariffs.patch#patch", "tariffs.patch#read patched"],
    judge: after("tariffs.patch#patch", (evidence) =>
      judgeReadBack(evidence, "tariffs.patch#read patched", wrote.patched(evidence))
    )
  },
  {
    ...base,
    id: "TAR-107",
    title: "Refuses tariffs that are not valid",
    reference: "status_codes, Client errors",
    sends:
      "PUT of a tariff without elements, without step_size, with a dimension KWH; where the version has it, without tax_included",
    passes: "status_code 2001 each time",
    hint: "Check required fields, types and enumerations before anything is stored.",
    needs: ({ profile }) => wrongTariffSteps(profile.tariffTax === "tax_included"),
    judge: (evidence) =>
      noneOf(
        wrongTariffSteps(evidence.profile.tariffTax === "tax_included")
          .flatMap(evidence.answered)
          .flatMap(notInvalid)
      )
  },
  {
    ...base,
    id: "TAR-108",
    title: "Keeps every restriction of a tariff",
    reference: "mod_tariffs, TariffRestrictions class",
    sends: "PUT of a tariff with several elements and every restriction of the version, then GET",
    passes: "stored as it was sent",
    hint: "A restriction that is lost makes the price wrong: keep those too that are not used yet.",
    needs: () => ["tariffs.rich#put", "tariffs.rich#read back"],
    judge: after("tariffs.rich#put", (evidence) =>
      judgeReadBack(evidence, "tariffs.rich#read back", wrote.rich(evidence))
    )
  },
  {
    ...base,
    id: "TAR-109",
    title: "Keeps prices with four decimals",
    strength: "should",
    reference: "types, number",
    sends: "PUT of a tariff with the price 0.1234, then GET",
    passes: "the price is 0.1234",
    hint: "Do not round prices: only the total of a session is an amount that is paid.",
    needs: () => ["tariffs.exact#put", "tariffs.exact#read back"],
    judge: after("tariffs.exact#put", (evidence) =>
      judgeReadBack(evidence, "tariffs.exact#read back", wrote.exact(evidence))
    )
  }
]
