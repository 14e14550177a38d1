import type { Tables, Words } from "../../../support/ocpi/examples.ts"
import { words as newerWords } from "../v2_2/tables.ts"

/** The tables of the 2.1.1 text. Its texts are ASCII, so a string is as narrow as a CiString. */
export const tables: Tables = {
  DisplayText: { language: "1 language", text: "1 ci512" },
  GeoLocation: { latitude: "1 geo6", longitude: "1 geo6" },
  AdditionalGeoLocation: { latitude: "1 geo6", longitude: "1 geo6", name: "? DisplayText" },
  Image: {
    url: "1 url",
    thumbnail: "? url",
    category: "1 enum",
    type: "1 ci4",
    width: "? int",
    height: "? int"
  },
  BusinessDetails: { name: "1 ci100", website: "? url", logo: "? Image" },
  EnergySource: { source: "1 enum", percentage: "1 num" },
  EnvironmentalImpact: { source: "1 enum", amount: "1 num" },
  EnergyMix: {
    is_green_energy: "1 bool",
    energy_sources: "* EnergySource",
    environ_impact: "* EnvironmentalImpact",
    supplier_name: "? ci64",
    energy_product_name: "? ci64"
  },
  RegularHours: { weekday: "1 int", period_begin: "1 hhmm", period_end: "1 hhmm" },
  ExceptionalPeriod: { period_begin: "1 dt", period_end: "1 dt" },
  Hours: {
    twentyfourseven: "? bool",
    regular_hours: "* RegularHours",
    exceptional_openings: "* ExceptionalPeriod",
    exceptional_closings: "* ExceptionalPeriod"
  },
  StatusSchedule: { period_begin: "1 dt", period_end: "? dt", status: "1 enum" },
  Connector: {
    id: "1 ci36",
    standard: "1 enum",
    format: "1 enum",
    power_type: "1 enum",
    voltage: "1 int",
    amperage: "1 int",
    tariff_id: "? ci36",
    terms_and_conditions: "? url",
    last_updated: "1 dt"
  },
  EVSE: {
    uid: "1 ci39",
    evse_id: "? ci48",
    status: "1 enum",
    status_schedule: "* StatusSchedule",
    capabilities: "* enum",
    connectors: "+ Connector",
    floor_level: "? ci4",
    coordinates: "? GeoLocation",
    physical_reference: "? ci16",
    directions: "* DisplayText",
    parking_restrictions: "* enum",
    images: "* Image",
    last_updated: "1 dt"
  },
  Location: {
    id: "1 ci39",
    type: "1 enum",
    name: "? ci255",
    address: "1 ci45",
    city: "1 ci45",
    postal_code: "1 ci10",
    country: "1 alpha3",
    coordinates: "1 GeoLocation",
    related_locations: "* AdditionalGeoLocation",
    evses: "* EVSE",
    directions: "* DisplayText",
    operator: "? BusinessDetails",
    suboperator: "? BusinessDetails",
    owner: "? BusinessDetails",
    facilities: "* enum",
    time_zone: "? zone",
    opening_times: "? Hours",
    charging_when_closed: "? bool",
    images: "* Image",
    energy_mix: "? EnergyMix",
    last_updated: "1 dt"
  },
  Token: {
    uid: "1 ci36",
    type: "1 enum",
    auth_id: "1 ci36",
    visual_number: "? ci64",
    issuer: "1 ci64",
    valid: "1 bool",
    whitelist: "1 enum",
    language: "? language",
    last_updated: "1 dt"
  },
  LocationReferences: { location_id: "1 ci39", evse_uids: "* ci39", connector_ids: "* ci36" },
  AuthorizationInfo: { allowed: "1 enum", location: "? LocationReferences", info: "? DisplayText" },
  PriceComponent: { type: "1 enum", price: "1 num", step_size: "1 int" },
  TariffRestrictions: {
    start_time: "? hhmm",
    end_time: "? hhmm",
    start_date: "? date",
    end_date: "? date",
    min_kwh: "? num",
    max_kwh: "? num",
    min_power: "? num",
    max_power: "? num",
    min_duration: "? int",
    max_duration: "? int",
    day_of_week: "* enum"
  },
  TariffElement: { price_components: "+ PriceComponent", restrictions: "? TariffRestrictions" },
  Tariff: {
    id: "1 ci36",
    currency: "1 currency",
    tariff_alt_text: "* DisplayText",
    tariff_alt_url: "? url",
    elements: "+ TariffElement",
    energy_mix: "? EnergyMix",
    last_updated: "1 dt"
  },
  CdrDimension: { type: "1 enum", volume: "1 num" },
  ChargingPeriod: { start_date_time: "1 dt", dimensions: "+ CdrDimension" },
  Session: {
    id: "1 ci36",
    start_datetime: "1 dt",
    end_datetime: "? dt",
    kwh: "1 num",
    auth_id: "1 ci36",
    auth_method: "1 enum",
    location: "1 Location",
    meter_id: "? ci255",
    currency: "1 currency",
    charging_periods: "* ChargingPeriod",
    total_cost: "? num",
    status: "1 enum",
    last_updated: "1 dt"
  },
  CDR: {
    id: "1 ci36",
    start_date_time: "1 dt",
    stop_date_time: "1 dt",
    auth_id: "1 ci36",
    auth_method: "1 enum",
    location: "1 Location",
    meter_id: "? ci255",
    currency: "1 currency",
    tariffs: "* Tariff",
    charging_periods: "+ ChargingPeriod",
    total_cost: "1 num",
    total_energy: "1 num",
    total_time: "1 num",
    total_parking_time: "? num",
    remark: "? ci255",
    last_updated: "1 dt"
  },
  Credentials: {
    token: "1 token",
    url: "1 url",
    business_details: "1 BusinessDetails",
    party_id: "1 ci3",
    country_code: "1 alpha2"
  },
  Version: { version: "1 ci10", url: "1 url" },
  Endpoint: { identifier: "1 ci255", url: "1 url" },
  VersionDetails: { version: "1 ci10", endpoints: "+ Endpoint" },
  START_SESSION: { response_url: "1 url", token: "1 Token", location_id: "1 ci39", evse_uid: "? ci39" },
  STOP_SESSION: { response_url: "1 url", session_id: "1 ci36" },
  RESERVE_NOW: {
    response_url: "1 url",
    token: "1 Token",
    expiry_date: "1 dt",
    reservation_id: "1 int",
    location_id: "1 ci39",
    evse_uid: "? ci39"
  },
  UNLOCK_CONNECTOR: {
    response_url: "1 url",
    location_id: "1 ci39",
    evse_uid: "1 ci39",
    connector_id: "1 ci36"
  },
  CommandResponse: { result: "1 enum" },
  CommandResult: { result: "1 enum" }
}

export const words: Words = {
  ...newerWords,
  "EnvironmentalImpact.source": "NUCLEAR_WASTE",
  "Connector.standard": "TESLA_S",
  "EVSE.capabilities": "RFID_READER",
  "Location.type": "UNKNOWN",
  "Location.facilities": "CARPOOL_PARKING",
  "Token.type": "OTHER",
  "CdrDimension.type": "FLAT",
  "Session.auth_method": "AUTH_REQUEST",
  "Session.status": "PENDING",
  "CommandResponse.result": "TIMEOUT",
  "CommandResult.result": "TIMEOUT"
}

/** Words that only later versions have. */
export const laterWords: Readonly<Record<string, ReadonlyArray<string>>> = {
  "Connector.standard": ["PANTOGRAPH_BOTTOM_UP", "CHAOJI", "MCS"],
  "Connector.power_type": ["AC_2_PHASE"],
  "EVSE.capabilities": ["PED_TERMINAL", "START_SESSION_CONNECTOR_REQUIRED"],
  "Location.type": ["ON_DRIVEWAY", "ALONG_MOTORWAY"],
  "Location.facilities": ["BIKE_SHARING", "TRAM_STOP", "METRO_STATION", "PARKING_LOT"],
  "Token.type": ["APP_USER", "AD_HOC_USER", "EMAID"],
  "CdrDimension.type": ["RESERVATION_TIME", "MAX_POWER", "STATE_OF_CHARGE"],
  "Session.auth_method": ["COMMAND"],
  "Session.status": ["RESERVATION"],
  "CDR.auth_method": ["COMMAND"],
  "CommandResult.result": ["EVSE_OCCUPIED", "FAILED"]
}
