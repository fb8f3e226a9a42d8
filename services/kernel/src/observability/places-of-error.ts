import { originalPlace } from './original-place.ts'

/** A path may hold anything; before it stands the name of a function, in which there is no parenthesis. */
const frame = /^\s+at (?:[^(]+ \()?((?:file:\/\/|node:|\/|[A-Za-z]:\\).*:\d+:\d+)\)?$/

/** Where an error was thrown, from the innermost frame on, as it was written; without the message that stands above it. */
export const placesOfError = ({ stack, message }: Error): string[] => {
  if (typeof stack !== 'string') return []
  const text = String(message)
  const header = stack.indexOf(text)
  const frames = stack.slice(header === -1 ? 0 : header + text.length).split('\n')
  return frames.flatMap((line) => frame.exec(line)?.[1] ?? []).map(originalPlace)
}
