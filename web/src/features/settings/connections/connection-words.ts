import type { Connection, ConnectionStatus } from '@prosa/contracts/http/connections'
import type { StatusTone } from '../../../components/status-dot.tsx'
import { atWhen, dayAndTime } from '../../../lib/format.ts'

/** What the dialog shows of a status (specification, 4). */
export const statusLabels: Record<ConnectionStatus, string> = {
  connected: 'Conectado com sucesso',
  authenticated: 'Autenticado',
  qr_code: 'QR Code pronto - Escaneie agora',
  qr_ready: 'QR Code pronto - Escaneie agora',
  connecting: 'Estabelecendo conexão...',
  inactive: 'Desconectado',
  error: 'Erro na conexão',
  disconnected: 'Desconectado',
}

export const statusTones: Record<ConnectionStatus, StatusTone> = {
  connected: 'good',
  authenticated: 'info',
  qr_code: 'busy',
  qr_ready: 'busy',
  connecting: 'busy',
  inactive: 'bad',
  error: 'bad',
  disconnected: 'bad',
}

/** A linked number whose line is down for now and comes back by itself; one that is linked anew has a deadline. */
export const isRecovering = ({ status, phoneNumber, qrDeadline }: Connection): boolean =>
  status === 'connecting' && phoneNumber !== null && qrDeadline === null

/** A phone scanned the QR code or took the code that was typed, and the line is not up yet. */
export const isOpening = (connection: Connection): boolean =>
  connection.status === 'authenticated' || isRecovering(connection)

export const showsQrCode = ({ status, qrCode }: Connection): boolean =>
  (status === 'qr_ready' || status === 'qr_code') && qrCode !== null

/** Nobody scanned in time, or the number was unlinked: only new QR codes lead on. */
export const needsNewQrCode = ({ status }: Connection): boolean =>
  status === 'inactive' || status === 'disconnected' || status === 'error'

/** One or two sentences about where a connection stands and since when; `nowMs` is the time in ms since 1970. */
export const connectionSentence = (connection: Connection, nowMs: number): string => {
  const { status, statusReason, statusSince } = connection
  if (status === 'connected') return `Conectado desde ${dayAndTime(statusSince, nowMs)}`
  if (isRecovering(connection))
    return `Seu WhatsApp perdeu a conexão ${atWhen(statusSince, nowMs)}. As mensagens que chegarem serão recebidas assim que ele voltar.`
  if (statusReason)
    return needsNewQrCode(connection) ? `${statusReason} Desde ${dayAndTime(statusSince, nowMs)}.` : statusReason
  if (status === 'inactive') return `O QR Code expirou ${atWhen(statusSince, nowMs)}. Gere um novo para conectar.`
  if (status === 'disconnected') return `Desconectado desde ${dayAndTime(statusSince, nowMs)}`
  return statusLabels[status]
}
