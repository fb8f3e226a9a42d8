import { z } from 'zod'

/** May name people: stored encrypted, never in a URL. */
export const reason = z
  .string({ error: 'Escreva o motivo.' })
  .trim()
  .min(1, 'Escreva o motivo.')
  .max(500, 'Use no máximo 500 caracteres.')
