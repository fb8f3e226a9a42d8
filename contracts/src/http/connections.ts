import { z } from 'zod'
import { connectionId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { endpoint } from './endpoint.ts'
import { notKnownYet } from './not-known-yet.ts'

/** `inactive`: not scanned in time, or replaced; `disconnected`: never linked, or unlinked (specification, 4). */
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

/** `unused`: never linked; `recovering`: reconnects without loss; `paused`: temporarily blocked. The last four may lose messages. */
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
  /** For the user, where it adds to the status. */
  statusReason: z.string().nullable(),
  line: notKnownYet(numberLine),
  statusSince: instant,
  /** Data URL of a PNG. */
  qrCode: z.string().nullable(),
  /** By the server's clock. */
  qrDeadline: instant.nullable(),
  /** For browsers with a wrong clock. */
  serverTime: instant,
  phoneNumber: z.string().nullable(),
  /** Same as phoneNumber. */
  phone: z.string().nullable(),
  lastActivity: instant.nullable(),
  /** `ABCD-1234`. */
  pairingCode: z.string().nullable(),
  /** `simulator` only in development. */
  network: z.enum(['whatsapp', 'simulator']),
})

export const addConnectionBody = z.object({
  name: z
    .string({ error: 'Informe um nome para a conexão.' })
    .trim()
    .min(1, 'Informe um nome para a conexão.')
    .max(60, 'Use no máximo 60 caracteres.'),
  /** 422 where the process has one network. */
  network: z.enum(['whatsapp', 'simulator'], { error: 'Escolha WhatsApp ou Simulador.' }).optional(),
})

export const pairingCodeBody = z.object({
  phone: z
    .string({ error: 'Informe o número do telefone com DDD.' })
    .transform((value) => value.replace(/\D/g, ''))
    .pipe(z.string().regex(/^(55)?[1-9]\d\d{8,9}$/, 'Informe o número do telefone com DDD.'))
    .transform((digits) => (digits.length > 11 ? digits : `55${digits}`)),
})

export const networks = z.array(z.enum(['whatsapp', 'simulator']))

export const quickSession = z.object({
  id: connectionId,
  name: z.string(),
  status: connectionStatus,
  qrCode: z.string().nullable(),
  phoneNumber: z.string().nullable(),
  lastActivity: instant.nullable(),
})

export const quickSessionBody = addConnectionBody.omit({ network: true })

export const sessionStatus = z.enum(['active', 'qr_ready', 'connecting', 'inactive'])

export const whatsappSession = z.object({
  name: z.string(),
  /** The connection's id. */
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

export const sessionStatusOf = (status: ConnectionStatus): z.infer<typeof sessionStatus> => {
  if (status === 'connected' || status === 'authenticated') return 'active'
  if (status === 'qr_ready' || status === 'qr_code') return 'qr_ready'
  return status === 'connecting' ? 'connecting' : 'inactive'
}

export const connectionAccepted = z.object({ id: connectionId })

export const connectionEndpoints = {
  list: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/whatsapp/connections',
    area: 'Conexões',
    summary: 'As conexões, com o QR Code das que esperam por ele.',
    replies: { 200: z.array(connection) },
  }),
  add: endpoint({
    service: 'sessions',
    method: 'POST',
    path: '/api/whatsapp/connections',
    area: 'Conexões',
    summary: 'Cria uma conexão e pede um QR Code.',
    body: addConnectionBody,
    replies: { 201: connection },
  }),
  refresh: endpoint({
    service: 'sessions',
    method: 'POST',
    path: '/api/whatsapp/connections/:id/refresh',
    area: 'Conexões',
    summary: 'Pede um novo QR Code.',
    replies: { 200: connectionAccepted },
  }),
  disconnect: endpoint({
    service: 'sessions',
    method: 'POST',
    path: '/api/whatsapp/connections/:id/disconnect',
    area: 'Conexões',
    summary: 'Desconecta o número.',
    replies: { 200: connectionAccepted },
  }),
  /** The code appears as `pairingCode`. */
  askPairingCode: endpoint({
    service: 'sessions',
    method: 'POST',
    path: '/api/whatsapp/connections/:id/pairing-code',
    area: 'Conexões',
    summary: 'Pede um código para digitar no telefone, em vez do QR Code.',
    body: pairingCodeBody,
    replies: { 202: connectionAccepted },
  }),
  remove: endpoint({
    service: 'sessions',
    method: 'DELETE',
    path: '/api/whatsapp/connections/:id',
    area: 'Conexões',
    summary: 'Remove a conexão; as conversas ficam.',
    replies: { 200: connectionAccepted },
  }),
  networks: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/whatsapp/networks',
    area: 'Conexões',
    summary: 'As redes a que uma nova conexão pode se ligar.',
    replies: { 200: networks },
  }),
}

export const quickSessionEndpoints = {
  list: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/whatsapp/quick-sessions',
    area: 'Conexões',
    summary: 'As conexões, como sessões rápidas.',
    replies: { 200: z.array(quickSession) },
  }),
  addOrRefresh: endpoint({
    service: 'sessions',
    method: 'POST',
    path: '/api/whatsapp/quick-session',
    area: 'Conexões',
    summary: 'Cria uma sessão rápida, ou renova o QR Code da que tem este nome.',
    body: quickSessionBody,
    replies: { 201: quickSession },
  }),
  remove: endpoint({
    service: 'sessions',
    method: 'DELETE',
    path: '/api/whatsapp/quick-session/:id',
    area: 'Conexões',
    summary: 'Remove uma sessão rápida.',
    replies: { 200: connectionAccepted },
  }),
}

export const whatsappSessionEndpoints = {
  list: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/whatsapp/sessions',
    area: 'Conexões',
    summary: 'As conexões, como sessões.',
    replies: { 200: z.array(whatsappSession) },
  }),
  create: endpoint({
    service: 'sessions',
    method: 'POST',
    path: '/api/whatsapp/create-session',
    area: 'Conexões',
    summary: 'Cria uma sessão e pede um QR Code.',
    body: createSessionBody,
    replies: { 201: whatsappSession },
  }),
  remove: endpoint({
    service: 'sessions',
    method: 'DELETE',
    path: '/api/whatsapp/session/:token',
    area: 'Conexões',
    summary: 'Remove uma sessão.',
    replies: { 200: sessionRemoved },
  }),
  /** 404 while there is none. */
  qrCode: endpoint({
    service: 'projections',
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
