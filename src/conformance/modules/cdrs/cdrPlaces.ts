/** Where CDRs say that they were. */

import { notAvailable } from "../../../../schema/ocpi/notAvailable.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { unless } from "../../../findings/finding.ts"
import { objectIn } from "../../../findings/json.ts"
import { isEmpty } from "../../../findings/objectDifferences.ts"
import type { Check } from "../../model/Check.ts"
import { notOnlyUsed, ofUsedParts } from "../charge/charging.ts"
import { allCdrs } from "../charge/toldCharges.ts"
import { unlessMissing } from "../shared/missingFields.ts"
import { isFlawed } from "../shared/objects/objectFlaws.ts"
import { onEach, onFlaws, wrong } from "../shared/objects/objectRules.ts"
import { cdrClause, cdrsBase, missingIds, place, usedIds } from "./cdrObjects.ts"

const withIds = versionsWhere(({ place }) => place === "ids")

/** Judge the location that a CDR contains (mod_cdrs, CdrLocation class). */
export const cdrPlacesChecks: ReadonlyArray<Check> = [
  {
    ...cdrsBase,
    id: "CDR-023",
    title: "CdrLocation: country is an alpha-3 code, and coordinates have the version's form",
    reference: "mod_cdrs, CdrLocation class; mod_locations, GeoLocation class",
    passes: "country is an alpha-3 code, coordinates have the version's form",
    hint: "Copy the fields of the location: its country has three letters, and latitude comes before longitude.",
    judge: (evidence) => {
      const result = onFlaws(allCdrs, place)(evidence)
      if (result.is !== "fail" || evidence.profile.place === "ids") return result
      // The samples of the oldest version have alpha-2 codes and swapped coordinates themselves.
      return {
        is: "fail",
        findings: result.findings.map((finding) => ({ ...finding, strength: "should" as const }))
      }
    }
  },
  {
    ...cdrsBase,
    id: "CDR-025",
    versions: versionsWhere((profile) => profile.place === "location"),
    title: "CDR: location contains only the used EVSE and connector",
    reference: cdrClause,
    passes: "the embedded location has exactly one EVSE with exactly one connector",
    hint: "Send the location with only the EVSE and the connector that were used.",
    judge: onEach(allCdrs, "has a location", (item, evidence) =>
      item.json["location"] === undefined || isFlawed(evidence, allCdrs, item, ofUsedParts)
        ? undefined
        : notOnlyUsed(item)
    )
  },
  {
    ...cdrsBase,
    id: "CDR-026",
    versions: withIds,
    title: "CdrLocation: evse_uid, evse_id and connector_id are given",
    reference: "mod_cdrs, CdrLocation class; transport_and_format, No Data Available",
    passes: `evse_uid, evse_id and connector_id are not empty; evse_uid and connector_id are ${notAvailable} only without a session or energy`,
    hint: "Give the uid of the EVSE that was used: an EVSE without an evse_id has one too.",
    judge: unlessMissing(
      allCdrs,
      missingIds,
      onFlaws(allCdrs, usedIds, (item) => {
        const location = objectIn(item.json["cdr_location"])
        const unused = isEmpty(item.json["session_id"]) || item.json["total_energy"] === 0
        // An EVSE may have no evse_id at all, and the field is required here.
        return ["evse_uid", "connector_id"].flatMap((field) =>
          unless(location[field] !== notAvailable || unused, () =>
            wrong(
              item,
              `cdr_location/${field}`,
              `${field} is ${notAvailable} although the CDR has a session and energy`,
              {
                expected: "an id",
                actual: notAvailable
              }
            )
          )
        )
      })
    )
  }
]
