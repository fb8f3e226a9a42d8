import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const maps = new Map<string, SourceMap | undefined>()

const mapOf = (file: string): SourceMap | undefined => {
  const beside = `${file}.map`
  if (!maps.has(file))
    maps.set(file, existsSync(beside) ? new SourceMap(JSON.parse(readFileSync(beside, 'utf8'))) : undefined)
  return maps.get(file)
}

/** URLs encode blanks and accents. */
const pathOf = (location: string): string => {
  if (!location.startsWith('file:')) return location
  try {
    return fileURLToPath(location)
  } catch {
    return location
  }
}

const fileLocation = /^(.*):(\d+):(\d+)$/

/**
 * Maps `path:line:column` of a bundle to its source. Replaces `--enable-source-maps`: Baileys reads a stack per stanza, a thirtieth of a
 * message's processor time.
 */
const originalLocation = (bundled: string): string => {
  const location = pathOf(bundled)
  const [, file = '', line, column] = fileLocation.exec(location) ?? []
  const found = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1)
  if (!found || !('originalSource' in found)) return location
  const { originalSource, originalLine, originalColumn } = found
  return `${resolve(dirname(file), originalSource)}:${originalLine + 1}:${originalColumn + 1}`
}

/** Function names have no parenthesis; paths may. */
const frame = /^\s+at (?:[^(]+ \()?((?:file:\/\/|node:|\/|[A-Za-z]:\\).*:\d+:\d+)\)?$/

/** Returns the stack frames, innermost first, without the message. */
export const locationsOfError = ({ stack, message }: Error): string[] => {
  if (typeof stack !== 'string') return []
  const text = String(message)
  const header = stack.indexOf(text)
  const frames = stack.slice(header === -1 ? 0 : header + text.length).split('\n')
  return frames.flatMap((line) => frame.exec(line)?.[1] ?? []).map(originalLocation)
}
