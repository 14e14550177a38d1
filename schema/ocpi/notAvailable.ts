/** The value of a required string for which there is no data (transport_and_format, No Data Available). */
export const notAvailable = "#NA"
