/** What may be logged of an error of Baileys: its name and message without numbers of people, and never the data attached. */
export const logReason = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message.replace(/\d{6,}/g, '…')}` : 'unknown'
