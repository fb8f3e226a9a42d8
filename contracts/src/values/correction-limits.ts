/** Milliseconds. WhatsApp says "about two days" for deletion; devices silently ignore later ones. */
export const correctionLimits = { edit: 15 * 60_000, deletion: 48 * 3_600_000 } as const
