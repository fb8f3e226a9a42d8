import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { z } from 'zod'

/** Appends lines of JSON; resolves once on disk. Processes may share the file: one write appends all lines of a call. */
export const appendLines = async (path: string, values: readonly unknown[]): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'a', 0o600)
  try {
    // The line break before: a power cut may have left a part of a line.
    await file.write(`\n${values.map((value) => JSON.stringify(value)).join('\n')}\n`)
    await file.datasync()
  } finally {
    await file.close()
  }
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `broken`: lines that a power cut left in part, or of another shape. */
export const parseLines = <S extends z.ZodType>(text: string, schema: S): { values: z.output<S>[]; broken: number } => {
  const lines = text.split('\n').filter((line) => line !== '')
  const values = lines.flatMap((line) => {
    const parsed = schema.safeParse(jsonOf(line))
    return parsed.success ? [parsed.data] : []
  })
  return { values, broken: lines.length - values.length }
}
