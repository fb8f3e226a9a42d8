/** Announces the connection whose outbox got a message. */
export const outboxChannel = 'prosa_outbox'

/** WhatsApp asks for a message again for up to 14 days; after that its text is of no use here. */
export const textDays = 14
