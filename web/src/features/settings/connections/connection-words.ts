import type { Connection, ConnectionStatus } from '@prosa/contracts/http/connections'
import { atWhen, dayAndTime } from '../../../lib/format/format.ts'
import type { StatusTone } from '../../../lib/format/status-tone.ts'

/** Specification, 4. */
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

/** A linked number that reconnects by itself; one that is being linked again has a deadline. */
export const isRecovering = ({ status, phoneNumber, qrDeadline }: Connection): boolean =>
  status === 'connecting' && phoneNumber !== null && qrDeadline === null

/** The phone scanned or typed the code, and the line is not yet connected. */
export const isOpening = (connection: Connection): boolean =>
  connection.status === 'authenticated' || isRecovering(connection)

export const showsQrCode = ({ status, qrCode }: Connection): boolean =>
  (status === 'qr_ready' || status === 'qr_code') && qrCode !== null

/** Not scanned in time, or unlinked: new QR codes must be requested. */
export const needsNewQrCode = ({ status }: Connection): boolean =>
  status === 'inactive' || status === 'disconnected' || status === 'error'

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
