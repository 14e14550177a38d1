/** The examples of every version. */
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import * as v2_1_1 from "../../schema/ocpi/v2_1_1/tables.ts"
import * as v2_2 from "../../schema/ocpi/v2_2/tables.ts"
import * as v2_2_1 from "../../schema/ocpi/v2_2_1/tables.ts"
import * as v2_3_0 from "../../schema/ocpi/v2_3_0/tables.ts"
import { Examples } from "./examples.ts"

const tables = { "2.1.1": v2_1_1, "2.2": v2_2, "2.2.1": v2_2_1, "2.3.0": v2_3_0 }

const bookOf = (version: OcpiVersion) => new Examples(tables[version].tables, tables[version].words)

export const books: Readonly<Record<OcpiVersion, Examples>> = {
  "2.1.1": bookOf("2.1.1"),
  "2.2": bookOf("2.2"),
  "2.2.1": bookOf("2.2.1"),
  "2.3.0": bookOf("2.3.0")
}

/** By `Class.field`: words that other versions have in a closed enum, and this one has not. */
export const laterWords = {
  "2.1.1": v2_1_1.laterWords,
  "2.2": v2_2.laterWords,
  "2.2.1": v2_2_1.laterWords,
  "2.3.0": v2_3_0.laterWords
}
