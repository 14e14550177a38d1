/** OCPI 2.2.1, document `mod_locations`. */
import { Schema } from "effect"
import { ciId, int, list, optional, Url } from "../types.ts"
import { DateTime } from "./DateTime.ts"

/** ConnectorType enum (mod_locations): the standard of the plug; open in 2.3.0. */
export const ConnectorType = Schema.Literal(
  "CHADEMO",
  "CHAOJI",
  "DOMESTIC_A",
  "DOMESTIC_B",
  "DOMESTIC_C",
  "DOMESTIC_D",
  "DOMESTIC_E",
  "DOMESTIC_F",
  "DOMESTIC_G",
  "DOMESTIC_H",
  "DOMESTIC_I",
  "DOMESTIC_J",
  "DOMESTIC_K",
  "DOMESTIC_L",
  "DOMESTIC_M",
  "DOMESTIC_N",
  "DOMESTIC_O",
  "GBT_AC",
  "GBT_DC",
  "IEC_60309_2_single_16",
  "IEC_60309_2_three_16",
  "IEC_60309_2_three_32",
  "IEC_60309_2_three_64",
  "IEC_62196_T1",
  "IEC_62196_T1_COMBO",
  "IEC_62196_T2",
  "IEC_62196_T2_COMBO",
  "IEC_62196_T3A",
  "IEC_62196_T3C",
  "NEMA_5_20",
  "NEMA_6_30",
  "NEMA_6_50",
  "NEMA_10_30",
  "NEMA_10_50",
  "NEMA_14_30",
  "NEMA_14_50",
  "PANTOGRAPH_BOTTOM_UP",
  "PANTOGRAPH_TOP_DOWN",
  "TESLA_R",
  "TESLA_S"
).annotations({ identifier: "ConnectorType" })

/** ConnectorFormat enum (mod_locations), the same in every version. */
export const ConnectorFormat = Schema.Literal("SOCKET", "CABLE").annotations({
  identifier: "ConnectorFormat"
})

/** PowerType enum (mod_locations), from 2.2.1 on. */
export const PowerType = Schema.Literal(
  "AC_1_PHASE",
  "AC_2_PHASE",
  "AC_2_PHASE_SPLIT",
  "AC_3_PHASE",
  "DC"
).annotations({ identifier: "PowerType" })

/** Fields of the Connector object; the other versions spread them. */
export const connectorFields = {
  id: ciId(36),
  standard: ConnectorType,
  format: ConnectorFormat,
  power_type: PowerType,
  max_voltage: int,
  max_amperage: int,
  max_electric_power: optional(int),
  tariff_ids: list(ciId(36)),
  terms_and_conditions: optional(Url),
  last_updated: DateTime
}

/** Connector object (mod_locations): voltage in V, amperage in A, power in W. */
export const Connector = Schema.Struct(connectorFields).annotations({ identifier: "Connector" })
