import type { RequestResult } from '@prosa/contracts/flows/request'
import { partsOfPath, wellFormed } from '@prosa/contracts/flows/request-template'
import type { AnswerType } from '@prosa/contracts/values/answers/answer-type'
import { decimalOf } from '@prosa/contracts/values/answers/read-number'

const maxValueLength = 1000
const maxListed = 100

const scalarText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** Text, number, true or false as text; a list of these with commas; '' for anything else. */
const textOf = (value: unknown): string => {
  const listed = Array.isArray(value) ? value.slice(0, maxListed).flatMap((each) => scalarText(each) ?? []) : []
  const text = scalarText(value) ?? listed.join(', ')
  return text.slice(0, maxValueLength).replace(/[\ud800-\udbff]$/, '')
}

const valueAt = (reply: unknown, path: string): unknown => {
  let value = reply
  for (const part of partsOfPath(path) ?? []) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string | number, unknown>)[part]
  }
  return value
}

/** 12.5 as '12.5' of that type: as text '1.234' would read as a thousand. */
const typeOf = (value: unknown): AnswerType | undefined =>
  typeof value === 'number' && decimalOf(String(value)) ? 'number' : undefined

/** Undefined if the body is no JSON. */
export const mappedValues = (
  body: Buffer,
  results: readonly RequestResult[],
): { values: Record<string, string>; types: Record<string, AnswerType> } | undefined => {
  if (results.length === 0) return { values: {}, types: {} }
  let reply: unknown
  try {
    reply = JSON.parse(body.toString().replace(/^\ufeff/, ''))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  const found = results.map(({ path, variable }) => ({ variable, value: valueAt(reply, path) }))
  return {
    values: Object.fromEntries(found.map(({ variable, value }) => [variable, textOf(value)])),
    types: Object.fromEntries(
      found.flatMap(({ variable, value }) => {
        const type = typeOf(value)
        return type ? [[variable, type]] : []
      }),
    ),
  }
}

const shortest = 4

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** Also as JSON within JSON. */
const formsOf = (secret: string) => {
  const plain = wellFormed(secret)
  return new Set([plain, inJson(plain), inJson(inJson(plain)), encodeURIComponent(plain)])
}

/** Some servers reply with what they got. */
export const withoutSecrets = (text: string, secrets: Iterable<string>): string => {
  let left = text
  for (const secret of secrets)
    for (const form of formsOf(secret)) if (form.length >= shortest) left = left.replaceAll(form, '•••')
  return left
}
