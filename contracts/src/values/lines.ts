export interface KnownLine {
  connectionId: string
  /** Last message or choice; '' if only the own side wrote. */
  at: string
  /** Compared as text; greater wins. */
  rank: string
}

/** Only the own side wrote: below every time. */
const least = ''

const ranked = (known: readonly KnownLine[], line: KnownLine): readonly KnownLine[] => {
  const before = known.find(({ connectionId }) => connectionId === line.connectionId)
  if (before && before.rank > line.rank) return known
  const others = known.filter((each) => each !== before)
  return others.toSpliced(others.findLastIndex(({ rank }) => rank <= line.rank) + 1, 0, line)
}

/** By WhatsApp's clock, in any order. */
export const writtenTo = (known: readonly KnownLine[], connectionId: string, at: string): readonly KnownLine[] =>
  ranked(known, { connectionId, at, rank: at })

export const writtenOver = (known: readonly KnownLine[], connectionId: string): readonly KnownLine[] =>
  ranked(known, { connectionId, at: '', rank: least })

/** After what the person had written by then, before anything later. */
export const chosen = (
  known: readonly KnownLine[],
  { connectionId, chosenAt, lastReceivedAt }: { connectionId: string; chosenAt: string; lastReceivedAt: string | null },
): readonly KnownLine[] => ranked(known, { connectionId, at: chosenAt, rank: `${lastReceivedAt ?? ''} ` })

/** Chats of one person, the survivor's last; ascending rank. */
export const linesTogether = (chats: readonly (readonly KnownLine[])[]): readonly KnownLine[] => {
  const all = chats.flat().toSorted((one, other) => (one.rank < other.rank ? -1 : one.rank > other.rank ? 1 : 0))
  return all.filter(
    ({ connectionId }, index) => all.findLastIndex((each) => each.connectionId === connectionId) === index,
  )
}

export const isOfPerson = ({ rank }: KnownLine): boolean => rank !== least

export interface OwnConnection {
  connectionId: string
  isRemoved: boolean
  isOpen: boolean
  numbers: readonly LinkedNumber[]
}

export interface LinkedNumber {
  phone: string
  /** '' for the first. */
  since: string
}

/** Per tenant and read. */
export const maxConnectionsRead = 1000

/** Conversations of older numbers need a choice. */
const maxNumbers = 100

export const withNumber = (numbers: readonly LinkedNumber[], phone: string | null, at: string) =>
  phone === null || numbers.at(-1)?.phone === phone
    ? numbers
    : [...numbers, { phone, since: numbers.length === 0 ? '' : at }].slice(-maxNumbers)

/** In [`from`, `until`), replies use `target`. */
export interface Successor {
  connectionId: string
  from: string
  until: string
  target: string
}

/** After every time. */
const end = '~'

/** After every time: the present number counts. */
export const unknownMoment = '}'

/** Connected first, then latest added. */
const holdersOf = (own: readonly OwnConnection[]): ReadonlyMap<string, OwnConnection> => {
  const holders = new Map<string, OwnConnection>()
  for (const connection of own) {
    const phone = connection.isRemoved ? undefined : connection.numbers.at(-1)?.phone
    if (phone !== undefined && (connection.isOpen || !holders.get(phone)?.isOpen)) holders.set(phone, connection)
  }
  return holders
}

/** Connection that has each past number today; none if nobody has it, since a stranger would answer. `own`: in order of adding. */
export const successorsOf = (own: readonly OwnConnection[]): Successor[] => {
  const holders = holdersOf(own)
  return own.flatMap(({ connectionId, isRemoved, isOpen, numbers }) => {
    const periods: readonly { phone?: string; since: string }[] = numbers.length > 0 ? numbers : [{ since: '' }]
    return periods.flatMap(({ phone, since }, index) => {
      const next = periods[index + 1]
      const isPresent = !next && !isRemoved
      const holder = phone === undefined || (isPresent && isOpen) ? undefined : holders.get(phone)
      const target = isPresent && !holder?.isOpen ? connectionId : holder?.connectionId
      return target === undefined ? [] : [{ connectionId, from: since, until: next?.since ?? end, target }]
    })
  })
}

export const successorOf = ({ connectionId, at }: KnownLine, successors: readonly Successor[]): string | undefined => {
  const moment = at || unknownMoment
  return successors.find((each) => each.connectionId === connectionId && each.from <= moment && moment < each.until)
    ?.target
}

/** The connection for replies. */
export const lineAmong = (known: readonly KnownLine[], successors: readonly Successor[]): string | undefined =>
  known.map((line) => successorOf(line, successors)).findLast((target) => target !== undefined)
