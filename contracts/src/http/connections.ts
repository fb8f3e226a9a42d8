import { z } from 'zod'
import { connectionId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'

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
 * came meanwhile with it; `paused`: WhatsApp blocked the number for a while. Of what comes while the number is `replaced`,
 * `refused`, `unlinked` or `disconnected` nobody can say that it will arrive here.
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

/** GET /api/whatsapp/connections → `connection[]`, oldest first. */
export const connection = z.object({
  id: connectionId,
  name: z.string(),
  status: connectionStatus,
  /** One sentence for the user about why the line is not up, when there is more to say than the status. */
  statusReason: z.string().nullable(),
  line: numberLine,
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

/** POST /api/whatsapp/connections → 201 `connection`; linking starts at once. */
export const addConnectionBody = z.object({
  name: z
    .string({ error: 'Informe um nome para a conexão.' })
    .trim()
    .min(1, 'Informe um nome para a conexão.')
    .max(60, 'Use no máximo 60 caracteres.'),
  /** Where the process has both; refused with 422 where it has not. */
  network: z.enum(['whatsapp', 'simulator'], { error: 'Escolha WhatsApp ou Simulador.' }).optional(),
})

/**
 * POST /api/whatsapp/connections/{id}/pairing-code → 202 `connectionAccepted`: WhatsApp is asked for a code to type on the phone with this number;
 * it appears as `pairingCode` of the connection.
 */
export const pairingCodeBody = z.object({
  phone: z
    .string({ error: 'Informe o número do telefone com DDD.' })
    .transform((value) => value.replace(/\D/g, ''))
    .pipe(z.string().regex(/^(55)?[1-9]\d\d{8,9}$/, 'Informe o número do telefone com DDD.'))
    .transform((digits) => (digits.length > 11 ? digits : `55${digits}`)),
})

/** GET /api/whatsapp/networks → which networks a new connection may link to. */
export const networks = z.array(z.enum(['whatsapp', 'simulator']))

/**
 * The family of the quick sessions: the same connections under other names (specification, 7).
 * GET /api/whatsapp/quick-sessions → `quickSession[]`; POST /api/whatsapp/quick-session {name} → 201 `quickSession`: creates it, or refreshes the QR code of
 * the one of that name; DELETE /api/whatsapp/quick-session/{id} → 200 `connectionAccepted`.
 */
export const quickSession = z.object({
  id: connectionId,
  name: z.string(),
  status: connectionStatus,
  qrCode: z.string().nullable(),
  phoneNumber: z.string().nullable(),
  lastActivity: instant.nullable(),
})

/** Statuses of the sessions screen (specification, 4). */
export const sessionStatus = z.enum(['active', 'qr_ready', 'connecting', 'inactive'])

/**
 * The family of /whatsapp-sessions. GET /api/whatsapp/sessions → `whatsappSession[]`; POST /api/whatsapp/create-session {name} → 201 `whatsappSession`;
 * DELETE /api/whatsapp/session/{token} → 200 `sessionRemoved`; GET /api/whatsapp/qr/{token} → `sessionQrCode`, 404 while there is none.
 */
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

/**
 * POST /api/whatsapp/connections/{id}/refresh → 200 `connectionAccepted`: asks WhatsApp for new QR codes (linking) .
 * POST /api/whatsapp/connections/{id}/disconnect → 200 `connectionAccepted`: unlinks the number.
 * DELETE /api/whatsapp/connections/{id} → 200 `connectionAccepted`: removes the connection; conversations stay.
 */
export const connectionAccepted = z.object({ id: connectionId })

export type Connection = z.infer<typeof connection>
export type QuickSession = z.infer<typeof quickSession>
export type WhatsappSession = z.infer<typeof whatsappSession>
export type NumberLine = z.infer<typeof numberLine>
export type ConnectionStatus = z.infer<typeof connectionStatus>
export type AddConnectionBody = z.infer<typeof addConnectionBody>
