import type { ConnectionStatus } from '@prosa/contracts/http/connections'
import type { MessageStatus, ServiceStatus } from '@prosa/contracts/http/live-chat'
import type { Instant } from '@prosa/contracts/values/instant'
import type { SubscriptionStatus, TransactionStatus } from '@prosa/contracts/values/kiwify'
import type { Role } from '@prosa/contracts/values/role'
import { visibleName } from '@prosa/contracts/values/text/visible-name'

const timeZone = 'America/Sao_Paulo'
const day = new Intl.DateTimeFormat('pt-BR', { timeZone, day: '2-digit', month: '2-digit', year: 'numeric' })
const moment = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'short', timeStyle: 'short' })
const money = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
const size = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })

/** '12/01/2027' in São Paulo. */
export const dayOf = (at: Instant): string => day.format(new Date(at))

export const momentOf = (at: Instant): string => moment.format(new Date(at))

export const statusNames: Readonly<Record<SubscriptionStatus, string>> = {
  active: 'Ativa',
  expired: 'Expirada',
  cancelled: 'Cancelada',
}

export const serviceStatusNames: Readonly<Record<ServiceStatus, string>> = {
  waiting: 'Aguardando',
  attending: 'Atendendo',
  resolved: 'Resolvido',
}

export const connectionStatusNames: Readonly<Record<ConnectionStatus, string>> = {
  connected: 'Conectada',
  authenticated: 'Autenticada',
  qr_code: 'QR Code pronto',
  qr_ready: 'QR Code pronto',
  connecting: 'Conectando',
  inactive: 'Inativa',
  error: 'Com erro',
  disconnected: 'Desconectada',
}

export const transactionStatusNames: Readonly<Record<TransactionStatus, string>> = {
  approved: 'Aprovado',
  declined: 'Recusado',
  pending: 'Pendente',
  refunded: 'Reembolsado',
}

export const tickNames: Readonly<Record<MessageStatus, string>> = {
  queued: 'relógio: espera para sair',
  sent: 'um traço: enviada',
  delivered: 'dois traços: entregue',
  read: 'dois traços azuis: lida',
  failed: 'não enviada',
}

export const roleNames: Readonly<Record<Role, string>> = { admin: 'administrador', analyst: 'analista' }

/** 9700 → 'R$ 97,00' */
export const reais = (cents: number): string => money.format(cents / 100).replaceAll('\u00a0', ' ')

/** 48213 → '47,1 kB' */
export const kilobytes = (bytes: number): string =>
  bytes < 1024 ? `${bytes} bytes` : `${size.format(bytes / 1024)} kB`

export const days = (count: number): string => `${count} ${count === 1 ? 'dia' : 'dias'}`

/** A quotation mark inside would end it, and a mark of direction would turn what follows. */
export const quoted = (text: string): string => `“${visibleName(text).replace(/[“”]/g, '"')}”`
