import { formatPhone } from '@prosa/contracts/values/phone'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const clock = new Intl.DateTimeFormat('pt-BR', { hour: '2-digit', minute: '2-digit' })
const date = new Intl.DateTimeFormat('pt-BR')
const dayOfYear = new Intl.DateTimeFormat('pt-BR', { day: 'numeric', month: 'short' })
const dayOfOtherYear = new Intl.DateTimeFormat('pt-BR', { day: 'numeric', month: 'short', year: 'numeric' })
const number = new Intl.NumberFormat('pt-BR')
const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

/** Specification, 4: 'Agora', '5m', '14:32', 'Ontem', '3 dias', '21/11/2026'; 'Agora' if unreadable or future. */
export const relativeTime = (instant: string, nowMs: number): string => {
  const thenMs = Date.parse(instant)
  const ageMs = nowMs - thenMs
  if (Number.isNaN(thenMs) || ageMs < minuteMs) return 'Agora'
  if (ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)}m`
  if (ageMs < dayMs) return clock.format(thenMs)
  const days = Math.floor(ageMs / dayMs)
  if (days === 1) return 'Ontem'
  if (days <= 7) return `${days} dias`
  return date.format(thenMs)
}

/** 'chegou agora', 'espera há 42 min', 'espera há 3 h', 'espera há 2 dias'. */
export const waitedTime = (since: string, nowMs: number): string => {
  const ageMs = nowMs - Date.parse(since)
  if (Number.isNaN(ageMs) || ageMs < minuteMs) return 'chegou agora'
  if (ageMs < hourMs) return `espera há ${Math.floor(ageMs / minuteMs)} min`
  if (ageMs < dayMs) return `espera há ${Math.floor(ageMs / hourMs)} h`
  return `espera há ${plural(Math.floor(ageMs / dayMs), 'dia', 'dias')}`
}

/** '14:32', in the browser's time zone. */
export const clockTime = (instant: string): string => clock.format(Date.parse(instant))

const startOfDay = (ms: number) => new Date(ms).setHours(0, 0, 0, 0)

/** Local days: 0 today, 1 yesterday, negative in the future. */
export const daysAgo = (thenMs: number, nowMs: number): number =>
  Math.round((startOfDay(nowMs) - startOfDay(thenMs)) / dayMs)

/** '12 de jan.'; 'de 2025' follows when that is not the year of `nowMs`. */
export const shortDay = (thenMs: number, nowMs: number): string => {
  const isThisYear = new Date(thenMs).getFullYear() === new Date(nowMs).getFullYear()
  return (isThisYear ? dayOfYear : dayOfOtherYear).format(thenMs)
}

/** 'às 14:32' today, 'ontem às 14:32', 'em 12 de jan. às 14:32'. */
export const atWhen = (instant: string, nowMs: number): string => {
  const thenMs = Date.parse(instant)
  const days = daysAgo(thenMs, nowMs)
  if (days <= 0) return `às ${clock.format(thenMs)}`
  if (days === 1) return `ontem às ${clock.format(thenMs)}`
  return `em ${shortDay(thenMs, nowMs)} às ${clock.format(thenMs)}`
}

/** 'hoje, 14:32', 'ontem, 14:32', 'amanhã, 14:32' or '12 de jan., 14:32'. */
export const dayAndTime = (instant: string, nowMs: number): string => {
  const thenMs = Date.parse(instant)
  const days = daysAgo(thenMs, nowMs)
  const day = ['amanhã', 'hoje', 'ontem'][days + 1] ?? shortDay(thenMs, nowMs)
  return `${day}, ${clock.format(thenMs)}`
}

/** '12 de jan. às 14:32'. */
export const dateAndTime = (instant: string, nowMs: number): string =>
  `${shortDay(Date.parse(instant), nowMs)} às ${clockTime(instant)}`

/** '5511988776655' → '(11) 98877-6655'; null → ''. */
export const phoneNumber = (phone: string | null): string => (phone ? formatPhone(phone) : '')

/** 'Ana (Escola)' → 'AE'; else the first grapheme (flags are several characters), else the phone's last two digits. */
export const initials = (name: string | null, phone: string | null): string => {
  const words = (name ?? '').trim().split(/\s+/).filter(Boolean)
  if (words.length === 0) return (phone ?? '').replace(/\D/g, '').slice(-2)
  const letters = words.flatMap((word) => word.match(/[\p{L}\p{N}]/u) ?? [])
  if (letters.length > 0) return letters.slice(0, 2).join('').toUpperCase()
  const [sign] = new Intl.Segmenter().segment(words.join(''))
  return sign?.segment ?? ''
}

/** '21/11/2026' */
export const plainDate = (instant: string): string => date.format(Date.parse(instant))

/** 97000 → 'R$ 970,00' */
export const money = (cents: number): string => reais.format(cents / 100)

/** 12345 → '12.345' */
export const count = (of: number): string => number.format(of)

/** plural(2, 'mensagem', 'mensagens') → '2 mensagens'. */
export const plural = (count: number, one: string, many: string): string =>
  `${number.format(count)} ${count === 1 ? one : many}`

/** 75 → '01:15'; never below '00:00'. */
export const minutesAndSeconds = (seconds: number): string => {
  const left = Math.max(0, Math.ceil(seconds))
  return `${String(Math.floor(left / 60)).padStart(2, '0')}:${String(left % 60).padStart(2, '0')}`
}
