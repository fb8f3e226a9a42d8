import type { RequestResult } from '@prosa/contracts/flows/request'
import { partsOfPath, wellFormed } from '@prosa/contracts/flows/request-template'

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

/** Undefined if the body is no JSON. */
export const mappedValues = (body: Buffer, results: readonly RequestResult[]): Record<string, string> | undefined => {
  if (results.length === 0) return {}
  let reply: unknown
  try {
    reply = JSON.parse(body.toString().replace(/^\ufeff/, ''))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  return Object.fromEntries(results.map(({ path, variable }) => [variable, textOf(valueAt(reply, path))]))
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
