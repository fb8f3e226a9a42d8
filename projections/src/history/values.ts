import type { EventType } from '@prosa/contracts/events/all-events'
import type { HistoryDifference } from '@prosa/contracts/http/history'
import { parseStream } from '@prosa/contracts/streams'
import type { SubscriptionStatus } from '@prosa/contracts/values/kiwify'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import { dayOf, statusNames } from './sentences/words.ts'

/** 'Acesso até' → '12/01/2027'. */
export type Values = ReadonlyMap<string, string>

const person = ({ firstName, lastName }: { firstName: string; lastName: string }) => ({
  Nome: `${firstName} ${lastName}`,
})

const changes: { [T in EventType]?: (event: StoredOf<T>) => Record<string, string> } = {
  UserRegistered: ({ data }) => ({ ...person(data), 'E-mail': data.email, 'E-mail confirmado': 'não' }),
  UserRenamed: ({ data }) => person(data),
  EmailChanged: ({ data }) => ({ 'E-mail': data.email, 'E-mail confirmado': 'não' }),
  EmailConfirmed: () => ({ 'E-mail confirmado': 'sim' }),
  UserErased: () => ({ Conta: 'apagada' }),
  TrialStarted: ({ data }) => ({ Situação: 'Em teste', 'Acesso até': dayOf(data.endsAt) }),
  TrialEnded: () => ({ Situação: statusNames.expired }),
  AccessEnded: () => ({ Situação: statusNames.expired }),
}

const isStatus = (value: unknown): value is SubscriptionStatus =>
  typeof value === 'string' && Object.hasOwn(statusNames, value)

/** Events that change access carry the outcome in these fields. */
const accessIn = ({ stream, data }: Stored): Record<string, string> => {
  if (parseStream(stream).category !== 'subscription') return {}
  const { status, endsAt } = data as { status?: unknown; endsAt?: unknown }
  return {
    ...(isStatus(status) && { Situação: statusNames[status] }),
    ...(typeof endsAt === 'string' && { 'Acesso até': dayOf(endsAt) }),
    ...(endsAt === null && { 'Acesso até': 'sem acesso' }),
  }
}

const changeOf = (event: Stored): Record<string, string> => {
  const change = changes[event.type] as ((event: Stored) => Record<string, string>) | undefined
  return change?.(event) ?? accessIn(event)
}

export const valuesAfter = (before: Values, event: Stored): Values =>
  new Map([...before, ...Object.entries(changeOf(event))])

export const differencesOf = (before: Values, event: Stored): HistoryDifference[] =>
  Object.entries(changeOf(event)).flatMap(([label, after]) => {
    const was = before.get(label)
    return was === undefined || was === after ? [] : [{ label, before: was, after }]
  })
