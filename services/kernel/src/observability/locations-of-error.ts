import { originalLocation } from './original-location.ts'

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
