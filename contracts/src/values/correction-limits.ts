/**
 * How long after a message was sent WhatsApp lets its writer change it, in milliseconds. Deleting is allowed for "about two days";
 * what comes later is ignored by the contact's device without a word.
 */
export const correctionLimits = { edit: 15 * 60_000, deletion: 48 * 3_600_000 } as const
