import type { ConnectionStatus, NumberLine } from '@prosa/contracts/http/connections'
import { parseStream } from '@prosa/contracts/streams'
import { withNumber } from '@prosa/contracts/values/lines'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { refusalReason } from './refusal-reason.ts'
import { type ConnectionRow, connectionTable } from './table.ts'

const key = ({ stream }: Stored) => parseStream(stream).id

/** A restart after linking is no drop. */
const restartAfterLinking = 515

/** Temporary: WhatsApp stores incoming messages. */
const temporaryBan = 402

interface Change {
  status: ConnectionStatus
  /** Line of a linked number; linking alone does not change it. */
  line?: NumberLine | null
  reason?: string | null
  phone?: string | null
  qrDeadline?: string | null
  hasPairingCode?: boolean
}

const changed = (
  row: ConnectionRow,
  { metadata }: Stored,
  { status, line = row.line, reason = null, phone = row.phone, qrDeadline = null, hasPairingCode = false }: Change,
): ConnectionRow => ({
  ...row,
  status,
  statusReason: reason,
  line,
  statusSince: row.status === status ? row.statusSince : metadata.recordedAt,
  qrDeadline,
  hasPairingCode,
  phone,
  lastActivity: metadata.recordedAt,
})

const codesOf = ({ status, qrDeadline, hasPairingCode }: ConnectionRow) => ({ status, qrDeadline, hasPairingCode })

/** A number that was never linked stays `unused`. */
const ended = (row: ConnectionRow, event: Stored, { line, ...change }: Change): ConnectionRow =>
  changed(row, event, row.line === 'unused' ? change : { ...change, line })

const becomes = (change: Change) => ({
  key,
  row: (row: ConnectionRow | undefined, event: Stored) => row && changed(row, event, change),
})
const endsAs = (change: Change) => ({
  key,
  row: (row: ConnectionRow | undefined, event: Stored) => row && ended(row, event, change),
})

/** Specification, 4. A removed one keeps its numbers. */
export const connections: Projection<ConnectionRow> = {
  name: 'connections',
  version: 5,
  categories: ['connection', 'user'],
  table: connectionTable,
  on: {
    ConnectionAdded: {
      key,
      row: (_, { stream, position, data, metadata }) => ({
        id: parseStream(stream).id,
        tenant: metadata.tenant,
        addedAt: position,
        name: data.name,
        network: data.network ?? null,
        status: 'connecting',
        statusReason: null,
        line: 'unused',
        statusSince: metadata.recordedAt,
        qrDeadline: null,
        hasPairingCode: false,
        phone: null,
        numbers: [],
        isRemoved: false,
        lastActivity: metadata.recordedAt,
      }),
    },
    LinkingStarted: {
      key,
      row: (row, event) => row && changed(row, event, { status: 'connecting', qrDeadline: event.data.until }),
    },
    LinkingDelayed: {
      key,
      row: (row, event) =>
        row &&
        changed(row, event, {
          ...codesOf(row),
          reason: 'Muitas conexões estão sendo feitas agora. O QR Code aparece assim que chegar a sua vez.',
        }),
    },
    QrCodeIssued: {
      key,
      row: (row, event) => row && changed(row, event, { ...codesOf(row), status: 'qr_ready' }),
    },
    PairingCodeIssued: {
      key,
      row: (row, event) => row && changed(row, event, { ...codesOf(row), hasPairingCode: true }),
    },
    LinkingExpired: becomes({ status: 'inactive', reason: 'O tempo para escanear o QR Code acabou.' }),
    NumberLinked: {
      key,
      row: (row, event) =>
        row && {
          ...changed(row, event, { status: 'authenticated', line: 'recovering', phone: event.data.phone }),
          numbers: withNumber(row.numbers ?? [], event.data.phone, event.metadata.recordedAt),
        },
    },
    LineOpened: becomes({ status: 'connected', line: 'open' }),
    LineDropped: {
      key,
      row: (row, event) =>
        row && event.data.code === restartAfterLinking
          ? { ...row, lastActivity: event.metadata.recordedAt }
          : row &&
            changed(row, event, {
              status: 'connecting',
              line: 'recovering',
              reason: 'A conexão com o WhatsApp caiu. O Prosa está reconectando.',
            }),
    },
    ConnectionReplaced: endsAs({
      status: 'inactive',
      line: 'replaced',
      reason: 'Outro programa assumiu esta conexão. Feche-o e conecte de novo por aqui.',
    }),
    ConnectionRefused: {
      key,
      row: (row, event) => {
        const line = event.data.code === temporaryBan ? 'paused' : 'refused'
        return row && ended(row, event, { status: 'error', line, reason: refusalReason(event.data.code) })
      },
    },
    NumberUnlinked: endsAs({
      status: 'disconnected',
      line: 'unlinked',
      reason: 'O celular removeu o Prosa dos aparelhos conectados.',
      phone: null,
    }),
    ConnectionDisconnected: endsAs({ status: 'disconnected', line: 'disconnected', phone: null }),
    ConnectionRemoved: {
      key,
      row: (row, event) =>
        row && {
          ...changed(row, event, { status: 'disconnected', line: 'disconnected', phone: null }),
          name: '',
          isRemoved: true,
        },
    },
    UserErased: { purge: { column: 'tenant', value: key } },
  },
}
