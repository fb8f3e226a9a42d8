import { z } from 'zod'

/** Compose files pass unset variables as empty text. */
export const orEmpty = <S extends z.ZodType>(schema: S) =>
  z
    .literal('')
    .transform(() => undefined)
    .or(schema)
    .optional()

/** The entries of a text with commas. */
export const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
