import type { Instant } from '@prosa/contracts/values/instant'
import type { SubscriptionStatus } from '@prosa/contracts/values/kiwify'

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

/** 9700 → 'R$ 97,00' */
export const reais = (cents: number): string => money.format(cents / 100).replaceAll('\u00a0', ' ')

/** 48213 → '47,1 kB' */
export const kilobytes = (bytes: number): string =>
  bytes < 1024 ? `${bytes} bytes` : `${size.format(bytes / 1024)} kB`

export const days = (count: number): string => `${count} ${count === 1 ? 'dia' : 'dias'}`

export const quoted = (text: string): string => `“${text}”`
