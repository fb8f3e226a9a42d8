import { obviousPassword } from '@prosa/contracts/values/text/obvious-password'
import { dictionary } from '@zxcvbn-ts/language-common'
import type { z } from 'zod'

/** 49,000 leaked passwords in lower case. Server only: 400 kB. */
const listed = new Set(dictionary['passwords-common'])

/** Shorter words plus digits prove little. */
const minWordLength = 4

/** Includes up to four trailing digits: 'senha12', 'Camila2024'. */
const isCommonPassword = (password: string): boolean => {
  const written = password.toLowerCase()
  const word = written.replace(/\d{1,4}$/, '')
  return listed.has(written) || (word.length >= minWordLength && listed.has(word))
}

export const withoutCommonPassword = <F extends string, S extends z.ZodType<{ [K in F]?: string | undefined }>>(
  body: S,
  field: F,
): S => body.refine((found) => !isCommonPassword(found[field] ?? ''), { path: [field], error: obviousPassword })
