import { obviousPassword } from '@prosa/contracts/values/obvious-password'
import { dictionary } from '@zxcvbn-ts/language-common'
import type { z } from 'zod'

/** The 49,000 passwords that lists of stolen ones show most often, in lower case. Only the server has them: they are 400 kB. */
const listed = new Set(dictionary['passwords-common'])

/** Shorter ones are in the list too, and with digits behind them prove little. */
const shortestWord = 4

/** True for a listed password, also with up to four digits behind it: 'senha12', 'Camila2024'. */
const isCommonPassword = (password: string): boolean => {
  const written = password.toLowerCase()
  const word = written.replace(/\d{1,4}$/, '')
  return listed.has(written) || (word.length >= shortestWord && listed.has(word))
}

/** The same body, refused at this field when it holds a common password. */
export const withoutCommonPassword = <F extends string, S extends z.ZodType<{ [K in F]?: string | undefined }>>(
  body: S,
  field: F,
): S => body.refine((found) => !isCommonPassword(found[field] ?? ''), { path: [field], error: obviousPassword })
