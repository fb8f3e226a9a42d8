import type { EventType } from '@prosa/contracts/events/all-events'
import type { HistoryDifference } from '@prosa/contracts/http/history'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'

/** 'Acesso até' → '12/01/2027'; of one of many in a stream by `ofPart`. */
export type Values = ReadonlyMap<string, string>

/** What screens show of one stream's record, as it follows from its events by the handlers of today. */
export interface ValueFold {
  /** Types that may change a value; others need no decoding. */
  types: ReadonlySet<string>
  /** Returns the values after the event. */
  next(event: Stored): Values
}

export type Shown = Readonly<Record<string, string | undefined>>

const valuesOf = (shown: Shown): Values =>
  new Map(Object.entries(shown).flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const])))

export const foldOf = <S>(
  types: Iterable<string>,
  initial: S,
  next: (state: S, event: Stored) => S,
  shown: (state: S) => Shown,
): ValueFold => {
  let state = initial
  const known = new Set(types)
  let values: Values = new Map()
  return {
    types: known,
    next(event) {
      if (!known.has(event.type)) return values
      state = next(state, event)
      values = valuesOf(shown(state))
      return values
    },
  }
}

type Changes = { [T in EventType]?: (event: StoredOf<T>, before: Shown) => Shown }

export const changeFold = (changes: Changes): ValueFold =>
  foldOf<Shown>(
    Object.keys(changes),
    {},
    (before, event) => {
      const change = changes[event.type] as ((event: Stored, before: Shown) => Shown) | undefined
      return { ...before, ...change?.(event, before) }
    },
    (shown) => shown,
  )

/** Labels of the two differ. */
export const bothFolds = (one: ValueFold, other: ValueFold): ValueFold => ({
  types: new Set([...one.types, ...other.types]),
  next: (event) => new Map([...one.next(event), ...other.next(event)]),
})

/** Labels whose values are ids of records, parted by spaces; '' for none. */
export const references: Readonly<Record<string, 'user' | 'flow'>> = {
  'Quem atende': 'user',
  Conta: 'user',
  'Fluxo padrão': 'flow',
  'Ordem dos fluxos': 'flow',
}

const partMark = '\0'

/** Streams of all labels of a tenant hold one name for each. */
export const ofPart = (label: string, part: string): string => `${label}${partMark}${part}`

const labelOf = (key: string): string => key.split(partMark, 1)[0] ?? key

/** Without what was shown for the first time. */
export const differencesOf = (before: Values, after: Values): HistoryDifference[] =>
  [...after].flatMap(([label, value]) => {
    const was = before.get(label)
    return was === undefined || was === value ? [] : [{ label: labelOf(label), before: was, after: value }]
  })
