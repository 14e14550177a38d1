import type { Tables, Words } from "../../../support/ocpi/examples.ts"
import { tables as older, words as olderWords } from "../v2_2_1/tables.ts"

/** The tables of the 2.3.0 text: those of 2.2.1 but for what is named here. */
export const tables: Tables = {
  ...older,
  Image: { ...older["Image"], category: "1 open" },
  EnvironmentalImpact: { category: "1 open", amount: "1 num" },
  PublishTokenType: { ...older["PublishTokenType"], type: "? open" },
  Connector: { ...older["Connector"], standard: "1 open", capabilities: "* open" },
  EVSEParking: { parking_id: "1 ci36", evse_position: "? enum" },
  EVSE: {
    ...older["EVSE"],
    capabilities: "* open",
    parking_restrictions: "* open",
    parking: "* EVSEParking",
    accepted_service_providers: "* s50"
  },
  Parking: {
    id: "1 ci36",
    physical_reference: "? s12",
    vehicle_types: "+ open",
    max_vehicle_weight: "? num",
    max_vehicle_height: "? num",
    max_vehicle_length: "? num",
    max_vehicle_width: "? num",
    parking_space_length: "? num",
    parking_space_width: "? num",
    dangerous_goods_allowed: "? bool",
    direction: "? enum",
    drive_through: "? bool",
    restricted_to_type: "1 bool",
    reservation_required: "1 bool",
    time_limit: "? num",
    roofed: "? bool",
    images: "* Image",
    lighting: "? bool",
    refrigeration_outlet: "? bool",
    standards: "* ci36",
    apds_reference: "? ci255"
  },
  Location: {
    ...older["Location"],
    parking_type: "? open",
    facilities: "* open",
    parking_places: "* Parking",
    help_phone: "? ci25"
  },
  TaxAmount: { name: "1 s255", account_number: "? s255", percentage: "? num", amount: "1 num" },
  Price: { before_taxes: "1 num", taxes: "* TaxAmount" },
  PriceLimit: { before_taxes: "1 num", after_taxes: "? num" },
  Token: { ...older["Token"], type: "1 open" },
  CdrToken: { ...older["CdrToken"], type: "1 open" },
  CdrLocation: { ...older["CdrLocation"], connector_standard: "1 open" },
  Tariff: {
    ...older["Tariff"],
    min_price: "? PriceLimit",
    max_price: "? PriceLimit",
    preauthorize_amount: "? num",
    tax_included: "1 enum"
  },
  Credentials: { ...older["Credentials"], hub_party_id: "? hub" },
  Terminal: {
    terminal_id: "1 ci36",
    customer_reference: "? ci36",
    party_id: "? ci3",
    country_code: "? alpha2",
    address: "? ci45",
    city: "? ci45",
    postal_code: "? ci10",
    state: "? ci20",
    country: "? alpha3",
    coordinates: "? GeoLocation",
    invoice_base_url: "? url",
    invoice_creator: "? enum",
    reference: "? ci36",
    location_ids: "* ci36",
    evse_uids: "* ci36",
    last_updated: "1 dt"
  },
  FinancialAdviceConfirmation: {
    id: "1 ci36",
    authorization_reference: "1 ci36",
    total_costs: "1 Price",
    currency: "1 currency",
    eft_data: "+ ci255",
    capture_status_code: "1 enum",
    capture_status_message: "? ci255",
    last_updated: "1 dt"
  }
}

export const words: Words = {
  ...olderWords,
  "Connector.standard": "SAE_J3400",
  "Connector.capabilities": "ISO_15118_20_PLUG_AND_CHARGE",
  "EVSE.parking_restrictions": "TAXIS",
  "EVSEParking.evse_position": "CENTER",
  "Parking.vehicle_types": "PERSONAL_VEHICLE_WITH_TRAILER",
  "Parking.direction": "ANGLE",
  "Token.type": "EMAID",
  "Tariff.tax_included": "N/A",
  "CredentialsRole.role": "SCSP",
  "ClientInfo.role": "NSP",
  "Terminal.invoice_creator": "PTP",
  "FinancialAdviceConfirmation.capture_status_code": "PARTIAL_SUCCESS"
}

/** Words that other versions have. */
export const laterWords: Readonly<Record<string, ReadonlyArray<string>>> = {
  "CredentialsRole.role": ["HUB", "PTP"],
  "ClientInfo.role": ["HUB"]
}
