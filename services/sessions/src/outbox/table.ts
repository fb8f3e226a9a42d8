export const outboxChannel = 'prosa_outbox'

/** WhatsApp may ask for a message again for up to 14 days. */
export const textDays = 14
