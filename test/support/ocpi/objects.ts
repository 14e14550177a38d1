/** Valid OCPI objects of version 2.2.1, made from the tables of the specification. */

const when = "2026-01-01T00:00:00Z"

export const connector = (more: Record<string, unknown> = {}) => ({
  id: "1",
  standard: "IEC_62196_T2",
  format: "SOCKET",
  power_type: "AC_3_PHASE",
  max_voltage: 230,
  max_amperage: 16,
  tariff_ids: ["T1"],
  last_updated: when,
  ...more
})

export const evse = (more: Record<string, unknown> = {}) => ({
  uid: "EVSE-1",
  evse_id: "DE*CPO*E1",
  status: "AVAILABLE",
  capabilities: ["REMOTE_START_STOP_CAPABLE", "RESERVABLE", "UNLOCK_CAPABLE"],
  connectors: [connector()],
  last_updated: when,
  ...more
})

export const location = (more: Record<string, unknown> = {}) => ({
  country_code: "DE",
  party_id: "CPO",
  id: "LOC1",
  publish: true,
  address: "Street 1",
  city: "Berlin",
  postal_code: "10115",
  country: "DEU",
  coordinates: { latitude: "52.520000", longitude: "13.400000" },
  time_zone: "Europe/Berlin",
  evses: [evse()],
  last_updated: when,
  ...more
})

export const tariff = (more: Record<string, unknown> = {}) => ({
  country_code: "DE",
  party_id: "CPO",
  id: "T1",
  currency: "EUR",
  elements: [
    {
      price_components: [
        { type: "FLAT", price: 0.5, vat: 19, step_size: 1 },
        { type: "ENERGY", price: 0.39, vat: 19, step_size: 1 },
        { type: "TIME", price: 1.2, vat: 19, step_size: 1 },
        { type: "PARKING_TIME", price: 6, vat: 19, step_size: 1 }
      ]
    }
  ],
  last_updated: when,
  ...more
})

export const token = (more: Record<string, unknown> = {}) => ({
  country_code: "NL",
  party_id: "MSP",
  uid: "TOKEN-1",
  type: "RFID",
  contract_id: "NL-MSP-C1",
  issuer: "An EMSP",
  valid: true,
  whitelist: "ALWAYS",
  last_updated: when,
  ...more
})

export const session = (more: Record<string, unknown> = {}) => ({
  country_code: "DE",
  party_id: "CPO",
  id: "S1",
  start_date_time: when,
  kwh: 0,
  cdr_token: { country_code: "NL", party_id: "MSP", uid: "TOKEN-1", type: "RFID", contract_id: "NL-MSP-C1" },
  auth_method: "WHITELIST",
  location_id: "LOC1",
  evse_uid: "EVSE-1",
  connector_id: "1",
  currency: "EUR",
  status: "ACTIVE",
  last_updated: when,
  ...more
})

export const period = (start = when) => ({
  start_date_time: start,
  dimensions: [{ type: "ENERGY", volume: 1 }]
})

export const cdr = (more: Record<string, unknown> = {}) => ({
  country_code: "DE",
  party_id: "CPO",
  id: "CDR1",
  start_date_time: when,
  end_date_time: "2026-01-01T01:00:00Z",
  session_id: "S1",
  cdr_token: session().cdr_token,
  auth_method: "WHITELIST",
  cdr_location: {
    id: "LOC1",
    address: "Street 1",
    city: "Berlin",
    postal_code: "10115",
    country: "DEU",
    coordinates: { latitude: "52.520000", longitude: "13.400000" },
    evse_uid: "EVSE-1",
    evse_id: "DE*CPO*E1",
    connector_id: "1",
    connector_standard: "IEC_62196_T2",
    connector_format: "SOCKET",
    connector_power_type: "AC_3_PHASE"
  },
  currency: "EUR",
  charging_periods: [period()],
  total_cost: { excl_vat: 0.39 },
  total_energy: 1,
  total_time: 1,
  last_updated: "2026-01-01T01:00:00Z",
  ...more
})
