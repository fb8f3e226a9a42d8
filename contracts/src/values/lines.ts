/** A connection that a conversation has been on. */
export interface KnownLine {
  connectionId: string
  /** When the person wrote to it last, or an attendant chose it last; '' where only the own side wrote over it. */
  at: string
  /** What counts more is greater, character by character. */
  rank: string
}

/** Where only the own side wrote over it, it counts less than any other. */
const least = ''

const placed = (known: readonly KnownLine[], line: KnownLine): readonly KnownLine[] => {
  const before = known.find(({ connectionId }) => connectionId === line.connectionId)
  if (before && before.rank > line.rank) return known
  const others = known.filter((each) => each !== before)
  return others.toSpliced(others.findLastIndex(({ rank }) => rank <= line.rank) + 1, 0, line)
}

/** The person wrote to it at this moment, by WhatsApp's clock; also where that is reported late. */
export const writtenTo = (known: readonly KnownLine[], connectionId: string, at: string): readonly KnownLine[] =>
  placed(known, { connectionId, at, rank: at })

/** The own side wrote over it. */
export const writtenOver = (known: readonly KnownLine[], connectionId: string): readonly KnownLine[] =>
  placed(known, { connectionId, at: '', rank: least })

/** An attendant chose it. That counts more than what the person had written by then, and less than anything later. */
export const chosen = (
  known: readonly KnownLine[],
  { connectionId, chosenAt, lastReceivedAt }: { connectionId: string; chosenAt: string; lastReceivedAt: string | null },
): readonly KnownLine[] => placed(known, { connectionId, at: chosenAt, rank: `${lastReceivedAt ?? ''} ` })

/** Those of one person's chats, the chat of the contact that goes on for them last: each connection once, what counts most last. */
export const linesTogether = (chats: readonly (readonly KnownLine[])[]): readonly KnownLine[] => {
  const all = chats.flat().toSorted((one, other) => (one.rank < other.rank ? -1 : one.rank > other.rank ? 1 : 0))
  return all.filter(
    ({ connectionId }, index) => all.findLastIndex((each) => each.connectionId === connectionId) === index,
  )
}

/** Whether the person wrote to it, or somebody chose it. */
export const isOfPerson = ({ rank }: KnownLine): boolean => rank !== least

/** A connection of one tenant, and the numbers that were linked to it, the present one last. */
export interface OwnConnection {
  connectionId: string
  isRemoved: boolean
  isOpen: boolean
  numbers: readonly LinkedNumber[]
}

export interface LinkedNumber {
  phone: string
  /** '' of the first one. */
  since: string
}

/** Of one subscriber, for one look at them: more were added and removed by nobody who has people to talk to. */
export const maxConnectionsRead = 1000

/** Of one connection; whoever wrote to one before these gets no answer until somebody chooses. */
const maxNumbers = 100

export const withNumber = (numbers: readonly LinkedNumber[], phone: string | null, at: string) =>
  phone === null || numbers.at(-1)?.phone === phone
    ? numbers
    : [...numbers, { phone, since: numbers.length === 0 ? '' : at }].slice(-maxNumbers)

/** Whoever wrote to the connection from `from` on and before `until` is answered over `target`. */
export interface Successor {
  connectionId: string
  from: string
  until: string
  target: string
}

/** Comes after every moment. */
const end = '~'

/** In the place of a moment, where nothing tells when: after every one of them, so that the present number counts. */
export const unknownMoment = '}'

/** By number: the connection that has it today. One that is up counts more, else the one that was added later. */
const holdersOf = (own: readonly OwnConnection[]): ReadonlyMap<string, OwnConnection> => {
  const holders = new Map<string, OwnConnection>()
  for (const connection of own) {
    const phone = connection.isRemoved ? undefined : connection.numbers.at(-1)?.phone
    if (phone !== undefined && (connection.isOpen || !holders.get(phone)?.isOpen)) holders.set(phone, connection)
  }
  return holders
}

/**
 * Which connection has, today, the number that each connection had: itself, unless it was removed, has another number by now, or is down
 * while another one with the same number is up. For a number that no connection has there is none: whoever wrote to it would get an answer
 * from a stranger. `own` is in the order in which they were added.
 */
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

/** Over which connection the number of this line is reached today; undefined where over none. */
export const successorOf = ({ connectionId, at }: KnownLine, successors: readonly Successor[]): string | undefined => {
  const moment = at || unknownMoment
  return successors.find((each) => each.connectionId === connectionId && each.from <= moment && moment < each.until)
    ?.target
}

/** Over which connection answers leave; undefined where the conversation has no line. */
export const lineAmong = (known: readonly KnownLine[], successors: readonly Successor[]): string | undefined =>
  known.map((line) => successorOf(line, successors)).findLast((target) => target !== undefined)
