/** OCPI 2.2.1, document `mod_tariffs`. */
import { Schema } from "effect"
import {
  CalendarDate,
  CountryCode,
  Currency,
  ciId,
  DisplayText,
  int,
  list,
  nonEmptyList,
  num,
  optional,
  PartyCode,
  TimeOfDay,
  Url
} from "../types.ts"
import { DateTime } from "./DateTime.ts"
import { EnergyMix } from "./EnergyMix.ts"
import { Price } from "./Price.ts"

/** TariffType enum (mod_tariffs), from 2.2 on. */
const TariffType = Schema.Literal(
  "AD_HOC_PAYMENT",
  "PROFILE_CHEAP",
  "PROFILE_FAST",
  "PROFILE_GREEN",
  "REGULAR"
).annotations({ identifier: "TariffType" })

/** TariffDimensionType enum (mod_tariffs), the same in every version. */
const TariffDimensionType = Schema.Literal("ENERGY", "FLAT", "PARKING_TIME", "TIME").annotations({
  identifier: "TariffDimensionType"
})

/** DayOfWeek enum (mod_tariffs), the same in every version. */
const DayOfWeek = Schema.Literal(
  "MONDAY",
  "TUESDAY",
  "WEDNESDAY",
  "THURSDAY",
  "FRIDAY",
  "SATURDAY",
  "SUNDAY"
).annotations({ identifier: "DayOfWeek" })

/** ReservationRestrictionType enum (mod_tariffs), from 2.2 on. */
const ReservationRestrictionType = Schema.Literal("RESERVATION", "RESERVATION_EXPIRES").annotations({
  identifier: "ReservationRestrictionType"
})

/** Fields of the PriceComponent class; 2.1.1 spreads them. */
export const priceComponentFields = {
  type: TariffDimensionType,
  price: num,
  vat: optional(num),
  step_size: int
}

/**
 * PriceComponent class (mod_tariffs): price per kWh, hour or session, billed in steps of `step_size` Wh or seconds.
 */
const PriceComponent = Schema.Struct(priceComponentFields).annotations({
  identifier: "PriceComponent"
})

/** Fields of the TariffRestrictions class; 2.1.1 spreads them. */
export const tariffRestrictionsFields = {
  start_time: optional(TimeOfDay),
  end_time: optional(TimeOfDay),
  start_date: optional(CalendarDate),
  end_date: optional(CalendarDate),
  min_kwh: optional(num),
  max_kwh: optional(num),
  min_current: optional(num),
  max_current: optional(num),
  min_power: optional(num),
  max_power: optional(num),
  min_duration: optional(int),
  max_duration: optional(int),
  day_of_week: list(DayOfWeek),
  reservation: optional(ReservationRestrictionType)
}

/** TariffRestrictions class (mod_tariffs): local times and dates, kWh, A, kW, and durations in seconds. */
const TariffRestrictions = Schema.Struct(tariffRestrictionsFields).annotations({
  identifier: "TariffRestrictions"
})

/** Fields of the TariffElement class. */
const tariffElementFields = {
  price_components: nonEmptyList(PriceComponent),
  restrictions: optional(TariffRestrictions)
}

/** TariffElement class (mod_tariffs): price components, and the restrictions under which they apply. */
const TariffElement = Schema.Struct(tariffElementFields).annotations({ identifier: "TariffElement" })

/** Fields of the Tariff object; 2.3.0 spreads them. */
export const tariffFields = {
  country_code: CountryCode,
  party_id: PartyCode,
  id: ciId(36),
  currency: Currency,
  type: optional(TariffType),
  tariff_alt_text: list(DisplayText),
  tariff_alt_url: optional(Url),
  min_price: optional(Price),
  max_price: optional(Price),
  elements: nonEmptyList(TariffElement),
  start_date_time: optional(DateTime),
  end_date_time: optional(DateTime),
  energy_mix: optional(EnergyMix),
  last_updated: DateTime
}

/** Tariff object (mod_tariffs), in 2.2 and 2.2.1. */
export const Tariff = Schema.Struct(tariffFields).annotations({ identifier: "Tariff" })
