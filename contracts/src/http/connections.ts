import { z } from 'zod'
import { connectionId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { endpoint } from './endpoint.ts'
import { notKnownYet } from './not-known-yet.ts'

/** Specification, 4. `inactive`: nobody scanned in time, or taken over elsewhere; `disconnected`: never linked or unlinked. */
export const connectionStatus = z.enum([
  'connected',
  'authenticated',
  'qr_code',
  'qr_ready',
  'connecting',
  'inactive',
  'error',
  'disconnected',
])

/**
 * Whether messages flow, or why not. `unused`: no phone was ever linked; `recovering`: the line comes back by itself, and what
 * came meanwhile with it; `paused`: WhatsApp blocked the number for a while. What comes while the number is `replaced`,
 * `refused`, `unlinked` or `disconnected` may never arrive here.
 */
export const numberLine = z.enum([
  'unused',
  'open',
  'recovering',
  'paused',
  'replaced',
  'refused',
  'unlinked',
  'disconnected',
])

export const connection = z.object({
  id: connectionId,
  name: z.string(),
  status: connectionStatus,
  /** One sentence for the user about why the line is not up, when it adds something to the status. */
  statusReason: z.string().nullable(),
  line: notKnownYet(numberLine),
  /** Since when the line has been up or down. */
  statusSince: instant,
  /** The QR code to scan now, as a data URL of a PNG; null when there is none. */
  qrCode: z.string().nullable(),
  /** Until when codes will be shown, by the server's clock; the countdown ends here. */
  qrDeadline: instant.nullable(),
  /** The server's clock when this was read, so that a browser with a wrong clock counts down rightly. */
  serverTime: instant,
  phoneNumber: z.string().nullable(),
  /** The same as phoneNumber: one family of screens calls it so. */
  phone: z.string().nullable(),
  lastActivity: instant.nullable(),
  /** The code to type on the phone instead of scanning, as `ABCD-1234`; null when none was asked for. */
  pairingCode: z.string().nullable(),
  /** `simulator` exists in development only. */
  network: z.enum(['whatsapp', 'simulator']),
})

export const addConnectionBody = z.object({
  name: z
    .string({ error: 'Informe um nome para a conexão.' })
    .trim()
    .min(1, 'Informe um nome para a conexão.')
    .max(60, 'Use no máximo 60 caracteres.'),
  /** Where the process has both; refused with 422 where it has not. */
  network: z.enum(['whatsapp', 'simulator'], { error: 'Escolha WhatsApp ou Simulador.' }).optional(),
})

export const pairingCodeBody = z.object({
  phone: z
    .string({ error: 'Informe o número do telefone com DDD.' })
    .transform((value) => value.replace(/\D/g, ''))
    .pipe(z.string().regex(/^(55)?[1-9]\d\d{8,9}$/, 'Informe o número do telefone com DDD.'))
    .transform((digits) => (digits.length > 11 ? digits : `55${digits}`)),
})

/** Which networks a new connection may link to. */
export const networks = z.array(z.enum(['whatsapp', 'simulator']))

/** The family of the quick sessions: the same connections under other names (specification, 7). */
export const quickSession = z.object({
  id: connectionId,
  name: z.string(),
  status: connectionStatus,
  qrCode: z.string().nullable(),
  phoneNumber: z.string().nullable(),
  lastActivity: instant.nullable(),
})

export const quickSessionBody = addConnectionBody.omit({ network: true })

/** Statuses of the sessions screen (specification, 4). */
export const sessionStatus = z.enum(['active', 'qr_ready', 'connecting', 'inactive'])

/** The family of /whatsapp-sessions. */
export const whatsappSession = z.object({
  name: z.string(),
  /** The id of the connection. */
  token: connectionId,
  status: sessionStatus,
  phoneNumber: z.string().nullable(),
  lastActivity: instant.nullable(),
})
export const createSessionBody = z.object({
  name: z
    .string({ error: 'Nome da sessão é obrigatório' })
    .trim()
    .min(1, 'Nome da sessão é obrigatório')
    .max(60, 'Use no máximo 60 caracteres.'),
})
export const sessionRemoved = z.object({ token: connectionId })
export const sessionQrCode = z.object({ qrCode: z.string() })

/** How the sessions screen calls a connection's status. */
export const sessionStatusOf = (status: ConnectionStatus): z.infer<typeof sessionStatus> => {
  if (status === 'connected' || status === 'authenticated') return 'active'
  if (status === 'qr_ready' || status === 'qr_code') return 'qr_ready'
  return status === 'connecting' ? 'connecting' : 'inactive'
}

export const connectionAccepted = z.object({ id: connectionId })

export const connectionEndpoints = {
  /** Oldest first. */
  list: endpoint({
    method: 'GET',
    path: '/api/whatsapp/connections',
    area: 'Conexões',
    summary: 'As conexões, com o QR Code das que esperam por ele.',
    replies: { 200: z.array(connection) },
  }),
  /** Linking starts at once. */
  add: endpoint({
    method: 'POST',
    path: '/api/whatsapp/connections',
    area: 'Conexões',
    summary: 'Cria uma conexão e pede um QR Code.',
    body: addConnectionBody,
    replies: { 201: connection },
  }),
  /** Asks WhatsApp for new QR codes. */
  refresh: endpoint({
    method: 'POST',
    path: '/api/whatsapp/connections/:id/refresh',
    area: 'Conexões',
    summary: 'Pede um novo QR Code.',
    replies: { 200: connectionAccepted },
  }),
  /** Unlinks the number. */
  disconnect: endpoint({
    method: 'POST',
    path: '/api/whatsapp/connections/:id/disconnect',
    area: 'Conexões',
    summary: 'Desconecta o número.',
    replies: { 200: connectionAccepted },
  }),
  /** WhatsApp is asked for a code to type on the phone with this number; it appears as `pairingCode` of the connection. */
  askPairingCode: endpoint({
    method: 'POST',
    path: '/api/whatsapp/connections/:id/pairing-code',
    area: 'Conexões',
    summary: 'Pede um código para digitar no telefone, em vez do QR Code.',
    body: pairingCodeBody,
    replies: { 202: connectionAccepted },
  }),
  /** Conversations stay. */
  remove: endpoint({
    method: 'DELETE',
    path: '/api/whatsapp/connections/:id',
    area: 'Conexões',
    summary: 'Remove a conexão; as conversas ficam.',
    replies: { 200: connectionAccepted },
  }),
  networks: endpoint({
    method: 'GET',
    path: '/api/whatsapp/networks',
    area: 'Conexões',
    summary: 'As redes a que uma nova conexão pode se ligar.',
    replies: { 200: networks },
  }),
}

export const quickSessionEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/whatsapp/quick-sessions',
    area: 'Conexões',
    summary: 'As conexões, como sessões rápidas.',
    replies: { 200: z.array(quickSession) },
  }),
  addOrRefresh: endpoint({
    method: 'POST',
    path: '/api/whatsapp/quick-session',
    area: 'Conexões',
    summary: 'Cria uma sessão rápida, ou renova o QR Code da que tem este nome.',
    body: quickSessionBody,
    replies: { 201: quickSession },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/whatsapp/quick-session/:id',
    area: 'Conexões',
    summary: 'Remove uma sessão rápida.',
    replies: { 200: connectionAccepted },
  }),
}

export const whatsappSessionEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/whatsapp/sessions',
    area: 'Conexões',
    summary: 'As conexões, como sessões.',
    replies: { 200: z.array(whatsappSession) },
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/whatsapp/create-session',
    area: 'Conexões',
    summary: 'Cria uma sessão e pede um QR Code.',
    body: createSessionBody,
    replies: { 201: whatsappSession },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/whatsapp/session/:token',
    area: 'Conexões',
    summary: 'Remove uma sessão.',
    replies: { 200: sessionRemoved },
  }),
  /** 404 while there is none. */
  qrCode: endpoint({
    method: 'GET',
    path: '/api/whatsapp/qr/:token',
    area: 'Conexões',
    summary: 'O QR Code de uma sessão.',
    replies: { 200: sessionQrCode },
  }),
}

export type Connection = z.infer<typeof connection>
export type QuickSession = z.infer<typeof quickSession>
export type WhatsappSession = z.infer<typeof whatsappSession>
export type NumberLine = z.infer<typeof numberLine>
export type ConnectionStatus = z.infer<typeof connectionStatus>
export type AddConnectionBody = z.infer<typeof addConnectionBody>
