import { LoggableError } from '../loggable-error.ts'
import { locationsOfError } from './locations-of-error.ts'
import { scrub } from './scrub.ts'

export interface SerializedError {
  type: string
  [fact: string]: unknown
}

const deepest = 5
const maxFrames = 15
const maxErrors = 5

/** Excludes `detail`, `where` and `query`: they quote stored data. */
const namingFacts = ['code', 'routine', 'constraint', 'table', 'column', 'syscall', 'severity'] as const
const identifier = /^[A-Za-z_][\w.-]{0,62}$/
const sqlState = /^[\dA-Z]{5}$/
const isName = (value: unknown): value is string =>
  typeof value === 'string' && (identifier.test(value) || sqlState.test(value)) && scrub(value) === value

/** The rest may name a person. */
const shortPath = (path: string): string => path.split(/[\\/]/).slice(-4).join('/')

const field = (from: object, name: string): unknown => (from as Record<string, unknown>)[name]

const statusOf = (error: Error): number | undefined => {
  const output = field(error, 'output')
  const status =
    field(error, 'statusCode') ?? (output && typeof output === 'object' ? field(output, 'statusCode') : undefined)
  return typeof status === 'number' ? status : undefined
}

/** Excludes values and keys that users chose. */
const issuesOf = (error: Error): { path: string; code: string }[] | undefined => {
  const issues = field(error, 'issues')
  if (!Array.isArray(issues)) return undefined
  return issues.slice(0, maxErrors).map((issue) => ({
    path: [issue?.path ?? []]
      .flat()
      .map((key) => (typeof key === 'number' || isName(key) ? key : '…'))
      .join('.'),
    code: isName(issue?.code) ? issue.code : 'unknown',
  }))
}

/** Only our own errors keep their message: others may quote customers or rows. */
export const serializeError = (error: unknown, depth = 0): SerializedError => {
  if (!(error instanceof Error)) return { type: 'not an error' }
  const { name } = error
  const serialized: SerializedError = { type: isName(name) ? name : 'Error' }
  for (const fact of namingFacts) {
    const value = field(error, fact)
    if (isName(value)) serialized[fact] = value
  }
  const status = statusOf(error)
  if (status !== undefined) serialized.status = status
  if (error instanceof LoggableError) serialized.message = scrub(error.message)
  const issues = issuesOf(error)
  if (issues) serialized.issues = issues
  const locations = locationsOfError(error).slice(0, maxFrames)
  if (locations.length > 0) serialized.stack = locations.map((location) => scrub(shortPath(location)))
  if (depth < deepest && error.cause !== undefined) serialized.cause = serializeError(error.cause, depth + 1)
  if (depth < deepest && error instanceof AggregateError)
    serialized.errors = error.errors.slice(0, maxErrors).map((each) => serializeError(each, depth + 1))
  return serialized
}
