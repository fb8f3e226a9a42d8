export const formats = ['ndjson', 'csv', 'parquet'] as const
export type Format = (typeof formats)[number]

export type Period = 'all' | 'days' | 'position'

/** What is asked of the server; in the address, so that it can be sent to a colleague. */
export interface Question {
  /** A ready table; '' for events. */
  table: string
  services: readonly string[]
  types: readonly string[]
  period: Period
  /** Local days, '2026-11-27'; both included, '' is open. */
  from: string
  to: string
  /** `position` of the last event that was read. */
  after: string
  format: Format
  /** The own contacts' personal fields. */
  personal: boolean
}

const periods: readonly Period[] = ['all', 'days', 'position']
const oneOf = <Value extends string>(values: readonly Value[], text: string | null, otherwise: Value): Value =>
  values.find((value) => value === text) ?? otherwise
const day = /^\d{4}-\d{2}-\d{2}$/
const dayIn = (text: string | null) => (text !== null && day.test(text) ? text : '')

export const questionIn = (address: URLSearchParams): Question => ({
  table: address.get('tabela') ?? '',
  services: address.getAll('servico'),
  types: address.getAll('tipo'),
  period: oneOf(periods, address.get('periodo'), 'all'),
  from: dayIn(address.get('de')),
  to: dayIn(address.get('ate')),
  after: address.get('depois') ?? '',
  format: oneOf(formats, address.get('formato'), 'ndjson'),
  personal: address.get('pessoais') === 'sim',
})

const pairsOf = (fields: Record<string, string | readonly string[]>): [string, string][] =>
  Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().flatMap((value): [string, string][] => (value === '' ? [] : [[name, value]])),
  )

/** Search of the page's address. */
export const addressOfQuestion = (question: Question): URLSearchParams =>
  new URLSearchParams(
    pairsOf({
      tabela: question.table,
      servico: question.services,
      tipo: question.types,
      periodo: question.period === 'all' ? '' : question.period,
      de: question.from,
      ate: question.to,
      depois: question.after,
      formato: question.format === 'ndjson' ? '' : question.format,
      pessoais: question.personal ? 'sim' : '',
    }),
  )

/** Of the local day, as ISO 8601. */
const startOf = (localDay: string, daysLater = 0): string => {
  const [year = 0, month = 1, date = 1] = localDay.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater).toISOString()
}

export interface Bounds {
  /** ISO 8601; undefined is open. */
  since: string | undefined
  until: string | undefined
}

export const boundsOf = ({ period, from, to }: Question): Bounds => ({
  since: period === 'days' && from !== '' ? startOf(from) : undefined,
  until: period === 'days' && to !== '' ? startOf(to, 1) : undefined,
})

/** What stops it from being asked, as a sentence; null if nothing does. */
export const faultOf = ({ period, from, to, after }: Question): string | null => {
  if (period === 'position' && after.trim() === '') return 'Cole a posição do último evento que você leu.'
  if (period === 'days' && from === '' && to === '') return 'Escolha pelo menos um dos dias.'
  if (period === 'days' && from !== '' && to !== '' && from > to) return 'O primeiro dia vem depois do último.'
  return null
}

interface Asked {
  format?: Format
  live?: true
}

/** Path and query for the server. */
export const pathOf = (question: Question, { format = question.format, live }: Asked = {}): string => {
  const { table, services, types, period, after, personal } = question
  const { since = '', until = '' } = boundsOf(question)
  const ofEvents = table === ''
  const asked = new URLSearchParams(
    pairsOf({
      service: ofEvents ? services : '',
      type: ofEvents ? types : '',
      since,
      until,
      after: ofEvents && period === 'position' ? after.trim() : '',
      format: format === 'ndjson' ? '' : format,
      live: live ? 'true' : '',
      personal: personal ? 'true' : '',
    }),
  )
  const path = ofEvents ? '/api/streams/events' : `/api/streams/tables/${encodeURIComponent(table)}`
  return asked.size === 0 ? path : `${path}?${asked}`
}

/** 'eventos-2026-11-01-2026-11-27.ndjson' */
export const fileNameOf = (question: Question): string => {
  const { table, types, period, from, to, format } = question
  const [only] = types
  const what = table || (types.length === 1 && only ? only.replace(/^prosa\./, '').replace(/\.v\d+$/, '') : 'eventos')
  const days = period === 'days' ? [from, to].filter(Boolean) : []
  // Also part of commands, and the address may be anybody's.
  return `${[what, ...days].join('-').replaceAll(/[^\w-]+/g, '-')}.${format}`
}
