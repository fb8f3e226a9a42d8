import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { sha256 } from './block.ts'

/** What an export vouches for; as JSON in its last line. */
export interface ExportProof {
  version: 1
  format: ExportFormat
  madeAt: string
  /** Of the log that it was read from. */
  logId: string
  /** Position of the first event; null without one. */
  from: string | null
  /** The log was read up to here: later events are in no such export. */
  to: string
  /** Lines of events. */
  count: number
  /** The link of the last line. */
  chain: string
  /** As they were asked; ids and days only. */
  filters: Readonly<Record<string, string>>
}

export type ExportFormat = 'csv' | 'ndjson'

/** Of a line of an export: SHA-256 over the link before and the line, hexadecimal. */
export const linkOf = (previous: string, line: string): string => sha256(`${previous}\n${line}`)

/** Before the first line. */
export const noLink = ''

const linkField = 'elo'
const proofMark = 'prova'

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`

/** `line`: a JSON object, or a record of CSV, without line breaks. */
export const withLink = (format: ExportFormat, line: string, link: string): string =>
  format === 'csv' ? `${line};${link}\n` : `${line.slice(0, -1)},"${linkField}":"${link}"}\n`

/** `sign`: a keyed hash, so that nobody else can make one that fits a changed file. */
export const proofLine = (format: ExportFormat, proof: ExportProof, sign: (text: string) => string): string => {
  const text = JSON.stringify(proof)
  return format === 'csv'
    ? `${proofMark};${cell(text)};${sign(text)}\n`
    : `${JSON.stringify({ [proofMark]: text, assinatura: sign(text) })}\n`
}

const linkLength = 64
const isLink = (text: string) => /^[0-9a-f]{64}$/.test(text)

/** `end`: what follows the link. */
const beforeLink = (line: string, start: string, end: string) => {
  const at = line.length - end.length - linkLength
  const link = line.slice(at, at + linkLength)
  return line.endsWith(end) && isLink(link) && line.slice(0, at).endsWith(start)
    ? { body: line.slice(0, at - start.length), link }
    : undefined
}

const linked = (format: ExportFormat, line: string) => {
  if (format === 'csv') return beforeLink(line, ';', '')
  const found = beforeLink(line, `,"${linkField}":"`, '"}')
  return found && { ...found, body: `${found.body}}` }
}

interface Signed {
  text: string
  signature: string
}

const signedShape = z.strictObject({ prova: z.string(), assinatura: z.string() })

const proofShape = z.object({
  version: z.literal(1),
  format: z.enum(['csv', 'ndjson']),
  madeAt: z.string(),
  logId: z.string(),
  from: z.string().nullable(),
  to: z.string(),
  count: z.int(),
  chain: z.string(),
  filters: z.record(z.string(), z.string()),
})

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const signedText = (format: ExportFormat, line: string): Signed | undefined => {
  if (format === 'csv') {
    const start = `${proofMark};"`
    const found = line.startsWith(start) ? beforeLink(line, '";', '') : undefined
    return found && { text: found.body.slice(start.length).replaceAll('""', '"'), signature: found.link }
  }
  const { data } = signedShape.safeParse(parsed(line))
  return data && { text: data.prova, signature: data.assinatura }
}

const proofIn = (format: ExportFormat, line: string): (Signed & { proof: ExportProof }) | undefined => {
  const found = signedText(format, line)
  const { data: proof } = proofShape.safeParse(found && parsed(found.text))
  return found && proof && { ...found, proof }
}

/** `line`: from 1 on, as an editor counts. */
export type ExportFault =
  | { kind: 'changed'; line: number }
  | { kind: 'unproved' | 'after the proof' | 'unsigned' }
  | { kind: 'count' | 'chain'; found: string; stated: string }

export interface VerifiedExport {
  proof: ExportProof | undefined
  count: number
  faults: ExportFault[]
}

/**
 * Reads it once, in constant memory. The first changed line is named; what follows it cannot be vouched for. Without `sign` the signature is not
 * checked: the chain alone shows damage, not a file that was made anew.
 */
export const verifyExport = async (content: Readable, sign?: (text: string) => string): Promise<VerifiedExport> => {
  const faults: ExportFault[] = []
  let [format, previous, count, number]: [ExportFormat, string, number, number] = ['ndjson', noLink, 0, 0]
  let found: ReturnType<typeof proofIn>
  let isBroken = false
  for await (const raw of createInterface({ input: content, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++
    const line = number === 1 ? raw.replace(/^\uFEFF/, '') : raw
    if (found) {
      faults.push({ kind: 'after the proof' })
      break
    }
    if (number === 1 && !line.startsWith('{')) {
      // Titles are the first line of the chain.
      format = 'csv'
      previous = linkOf(noLink, line)
      continue
    }
    found = proofIn(format, line)
    if (found) continue
    const stated = linked(format, line)
    const link = linkOf(previous, stated?.body ?? line)
    if (link !== stated?.link && !isBroken) {
      isBroken = true
      faults.push({ kind: 'changed', line: number })
    }
    previous = stated?.link ?? link
    count++
  }
  if (!found) return { proof: undefined, count, faults: [...faults, { kind: 'unproved' }] }
  const { proof } = found
  if (proof.count !== count) faults.push({ kind: 'count', found: String(count), stated: String(proof.count) })
  if (proof.chain !== previous) faults.push({ kind: 'chain', found: previous, stated: proof.chain })
  if (sign && sign(found.text) !== found.signature) faults.push({ kind: 'unsigned' })
  return { proof, count, faults }
}
