/** Ids that no partner has, for what must not be found. */

/** The EVSE of a command that no CPO can carry out. */
export const unknownEvse = "TST-NO-SUCH-EVSE"
