import { z } from 'zod'

/** Why an administrator decides something, in free words: it may be about a person, is stored locked and never goes into an address. */
export const reason = z
  .string({ error: 'Escreva o motivo.' })
  .trim()
  .min(1, 'Escreva o motivo.')
  .max(500, 'Use no máximo 500 caracteres.')
