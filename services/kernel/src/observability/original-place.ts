import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const maps = new Map<string, SourceMap | undefined>()

/** Read with the first error that was thrown there. */
const mapOf = (file: string): SourceMap | undefined => {
  const beside = `${file}.map`
  if (!maps.has(file))
    maps.set(file, existsSync(beside) ? new SourceMap(JSON.parse(readFileSync(beside, 'utf8'))) : undefined)
  return maps.get(file)
}

/** Frames of modules name URLs, in which blanks and accents are encoded. */
const pathOf = (place: string): string => {
  if (!place.startsWith('file:')) return place
  try {
    return fileURLToPath(place)
  } catch {
    // It was not node that wrote this one.
    return place
  }
}

const filePlace = /^(.*):(\d+):(\d+)$/

/**
 * Where the code stands that was bundled to `path:line:column`, also with a URL for the path, by the source map beside the file;
 * the place itself where there is none. Node's own `--enable-source-maps` does this for every stack that anybody looks at, and
 * Baileys looks at one for each stanza that it sends: a thirtieth of the processor time of a message.
 */
export const originalPlace = (bundled: string): string => {
  const place = pathOf(bundled)
  const [, file = '', line, column] = filePlace.exec(place) ?? []
  const found = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1)
  if (!found || !('originalSource' in found)) return place
  const { originalSource, originalLine, originalColumn } = found
  return `${resolve(dirname(file), originalSource)}:${originalLine + 1}:${originalColumn + 1}`
}
