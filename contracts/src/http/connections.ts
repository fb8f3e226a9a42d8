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

/** GET /api/whatsapp/connections → `connection[]`, oldest first. */
export const connection = z.object({
  id: connectionId,
  name: z.string(),
  status: connectionStatus,
  /** One sentence for the user about why the line is not up, when there is more to say than the status. */
  statusReason: z.string().nullable(),
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
})

/** POST /api/whatsapp/connections → 201 `connection`; linking starts at once. */
export const addConnectionBody = z.object({
  name: z
    .string({ error: 'Informe um nome para a conexão.' })
    .trim()
    .min(1, 'Informe um nome para a conexão.')
    .max(60, 'Use no máximo 60 caracteres.'),
})

/**
 * POST /api/whatsapp/connections/{id}/refresh → 200 `connectionAccepted`: asks WhatsApp for new QR codes (linking) .
 * POST /api/whatsapp/connections/{id}/disconnect → 200 `connectionAccepted`: unlinks the number.
 * DELETE /api/whatsapp/connections/{id} → 200 `connectionAccepted`: removes the connection; conversations stay.
 */
export const connectionAccepted = z.object({ id: connectionId })

export type Connection = z.infer<typeof connection>
export type ConnectionStatus = z.infer<typeof connectionStatus>
export type AddConnectionBody = z.infer<typeof addConnectionBody>
