import type { HistoryEntry } from '@prosa/contracts/http/history'
import type { ExportFormat } from '@prosa/kernel/operations/hash-chain/exported-lines'
import { stringify } from 'csv-stringify/sync'
import type { ShownEntry } from '../threads.ts'

const changesIn = ({ differences }: HistoryEntry): string =>
  differences.map(({ label, before, after }) => `${label}: ${before} → ${after}`).join('; ')

const recordsIn = ({ records }: HistoryEntry): string =>
  records.map(({ kind, id, name }) => `${kind}:${id} (${name})`).join('; ')

const cells: Readonly<Record<string, (shown: ShownEntry) => string | null>> = {
  Posição: ({ row }) => row.place,
  Evento: ({ row }) => row.id,
  Causa: ({ row }) => row.causationId,
  'Primeiro da cadeia': ({ row }) => row.thread,
  Protocolo: ({ row }) => row.correlationId,
  Quando: ({ row }) => row.recordedAt,
  Tipo: ({ row }) => row.type,
  Assunto: ({ row }) => row.groupName,
  'Tipo de autor': ({ row }) => row.actorKind,
  'Id do autor': ({ row }) => row.actorId,
  Autor: ({ entry }) => entry.actor.name,
  Conta: ({ row }) => row.tenant,
  Acontecimento: ({ entry }) => entry.text,
  Motivo: ({ entry }) => entry.reason,
  Mudanças: ({ entry }) => changesIn(entry),
  Registros: ({ entry }) => recordsIn(entry),
}

/** A line is a record. */
const onOneLine = (text: string | null): string =>
  (text ?? '')
    .split(/[\r\n\u2028\u2029]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')

const csvLine = (values: readonly string[]) =>
  stringify([values], { delimiter: ';', escape_formulas: true, record_delimiter: '' })

export const titles = csvLine([...Object.keys(cells), 'Elo'])

const inCsv = (shown: ShownEntry): string => csvLine(Object.values(cells).map((cell) => onOneLine(cell(shown))))

/** JSON keeps two characters that some readers take for the end of a line. */
const lineSeparators = /[\u2028\u2029]/g
const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16)}`

const inNdjson = ({ row, entry }: ShownEntry): string =>
  JSON.stringify({
    posicao: row.place,
    evento: row.id,
    causa: row.causationId,
    fio: row.thread,
    protocolo: row.correlationId,
    quando: row.recordedAt,
    tipo: row.type,
    assunto: row.groupName,
    autor: { tipo: row.actorKind, id: row.actorId, nome: entry.actor.name },
    conta: row.tenant,
    acontecimento: entry.text,
    motivo: entry.reason,
    mudancas: entry.differences.map(({ label, before, after }) => ({ campo: label, antes: before, depois: after })),
    registros: entry.records,
  }).replace(lineSeparators, escaped)

/** One line each, without its end. */
export const lineOf: Record<ExportFormat, (shown: ShownEntry) => string> = { csv: inCsv, ndjson: inNdjson }
