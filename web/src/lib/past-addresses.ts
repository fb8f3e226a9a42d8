import {
  type PastRecord,
  type PastRecordKind,
  pastKindsOfAccount,
  pastKindsOfTenant,
  pastRecordKinds,
} from '@prosa/contracts/http/past/past-records'
import { ownHistory } from './own-history-address.ts'
import { momentParameter, pastAddress, paths, type SettingsSection, settingsSection } from './paths.ts'

/** Sections of the settings that are shown as they were, and what each is of the account. */
export const sectionsThen: { [S in SettingsSection]?: PastRecordKind } = {
  'respostas-rapidas': 'quickReplies',
  etiquetas: 'labels',
  campos: 'fields',
  horarios: 'openingHours',
  empresa: 'company',
}

const sectionOf: { [K in PastRecordKind]?: SettingsSection } = {
  quickReply: 'respostas-rapidas',
  quickReplies: 'respostas-rapidas',
  label: 'etiquetas',
  labels: 'etiquetas',
  fields: 'campos',
  openingHours: 'horarios',
  company: 'empresa',
}

/** Of a page that shows a record as it was beside its history. */
export const recordParameter = 'como'

/** Of what is shown as it was, beside the filters. */
export const thenParameters: readonly string[] = [recordParameter, momentParameter]

const keyOf = ({ kind, id }: PastRecord) => `${kind}:${id}`

/** The history itself can be narrowed to these. */
const isInHistory = ({ kind }: PastRecord) => !pastKindsOfAccount.some((each) => each === kind)

export const recordThenParameters = (em: string, record: PastRecord): Record<string, string> => ({
  [recordParameter]: keyOf(record),
  [momentParameter]: em,
  ...(isInHistory(record) && { registro: keyOf(record) }),
})

/** Where a subscriber sees a record as it was: its own screen, or its values beside its history. */
export const ownRecordThen = (em: string, record: PastRecord): string | undefined => {
  if (record.kind === 'contact') return pastAddress(em, record.id)
  if (record.kind === 'flow')
    return `${paths.flowEditor}/${record.id}?${new URLSearchParams({ [momentParameter]: em })}`
  const section = sectionOf[record.kind]
  if (section) return `${settingsSection(section)}&${new URLSearchParams({ [momentParameter]: em })}`
  const isOwn = pastKindsOfTenant.some((kind) => kind === record.kind)
  return isOwn ? ownHistory(recordThenParameters(em, record)) : undefined
}

/** `flow:<id>`; undefined for what is no record. */
export const pastRecordIn = (key: string): PastRecord | undefined => {
  const [, word, id] = /^(\w+):(.+)$/.exec(key) ?? []
  const kind = pastRecordKinds.find((each) => each === word)
  return kind && id !== undefined ? { kind, id } : undefined
}
