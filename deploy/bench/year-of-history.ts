import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { type Category, streamName } from '@prosa/contracts/streams'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Ports } from '@prosa/kernel/ports'
import { type Random, seededRandom, wholeBetween } from '../simulation/platform/random.ts'

/** Events of one stream, stored in one append. */
interface Append {
  category: Category
  id: string
  events: AnyEvent[]
}

interface Person {
  status: 'absent' | 'waiting' | 'attending' | 'resolved' | 'absorbed' | 'erased'
  messages: number
  runs: number
  line: number
  absorbedInto?: number
}

const dayMs = 86_400_000
const yearMs = 365 * dayMs
const began = Date.UTC(2025, 10, 1)
const texts = [
  'Vocês ainda têm pão de queijo hoje? Levo duas dúzias.',
  'Bom dia',
  'Pode entregar na rua de cima até as 18 h? O portão fica aberto e o cachorro é manso.',
  'Fechado, obrigada!',
]

export const idOfYear = (what: string, number: number): string => deriveId('year of history', what, number)
export const tenantOfYear = idOfYear('tenant', 0)
export const personOfYear = (number: number): string => idOfYear('contact', number)
export const lineOfYear = (number: number): string => idOfYear('line', number)
export const labelOfYear = (number: number): string => idOfYear('label', number)
export const linesOfYear = 4
export const labelsOfYear = 8
const flowId = idOfYear('flow', 0)
const attendantId = tenantOfYear

/** A seeded history of one tenant: steps of its life, each with the people that it concerns. */
class Year {
  readonly #random: Random
  readonly #people: Person[]
  #at = began

  constructor(seed: number, contacts: number) {
    this.#random = seededRandom(seed)
    this.#people = Array.from({ length: contacts }, () => ({ status: 'absent', messages: 0, runs: 0, line: 0 }))
  }

  get erased(): string[] {
    return this.#people.flatMap(({ status }, number) => (status === 'erased' ? [personOfYear(number)] : []))
  }

  /** Lines and labels; the second line falls and comes back, the third is removed and its number returns as the fourth. */
  ofTenant(month: number): Append[] {
    const linked = (number: number): AnyEvent[] => [
      { type: 'ConnectionAdded', data: { name: `Loja ${number}` } },
      {
        type: 'NumberLinked',
        data: { phone: `55113000000${Math.min(number, 2)}`, lid: null, pushName: null },
      },
      { type: 'LineOpened', data: {} },
    ]
    const ofLine = (number: number, events: AnyEvent[]): Append[] => [
      { category: 'connection', id: lineOfYear(number), events },
    ]
    const label = (event: AnyEvent): Append[] => [{ category: 'label', id: tenantOfYear, events: [event] }]
    if (month === 0)
      return [
        ...[0, 1, 2].flatMap((number) => ofLine(number, linked(number))),
        ...Array.from({ length: labelsOfYear }, (_, number) =>
          label({
            type: 'LabelCreated',
            data: { labelId: labelOfYear(number), name: `Etiqueta ${9 - number}`, colour: 'red' },
          }),
        ).flat(),
      ]
    if (month === 3) return ofLine(1, [{ type: 'LineDropped', data: { code: 428, reason: 'lost' } }])
    if (month === 4) return ofLine(1, [{ type: 'LineOpened', data: {} }])
    if (month === 5) return label({ type: 'LabelRenamed', data: { labelId: labelOfYear(0), name: 'Antiga' } })
    if (month === 6) return [...ofLine(2, [{ type: 'ConnectionRemoved', data: {} }]), ...ofLine(3, linked(3))]
    if (month === 8) return label({ type: 'LabelDeleted', data: { labelId: labelOfYear(1) } })
    return []
  }

  /** One step; `share` of the year has passed. Some people write far more than others. */
  next(share: number): { people: number[]; appends: Append[] } {
    this.#at = began + Math.floor(share * yearMs)
    const skewed = this.#random() < 0.3 ? this.#random() : this.#random() ** 2
    let number = Math.floor(skewed * this.#people.length)
    // What comes from a merged person goes to the survivor.
    for (;;) {
      const into = this.#people[number]?.absorbedInto
      if (into === undefined) break
      const isLeaf = this.#people.every(({ absorbedInto }) => absorbedInto !== number)
      if (isLeaf && this.#people[into]?.absorbedInto === undefined && this.#random() < 0.05)
        return this.#separate(number, into)
      number = into
    }
    const person = this.#people[number]
    if (!person || person.status === 'erased') return { people: [], appends: [] }
    if (person.status !== 'absent' && this.#random() < 0.004) {
      const other = Math.floor(this.#random() * this.#people.length)
      const absorbed = this.#people[other]
      if (absorbed && other !== number && /waiting|attending|resolved/.test(absorbed.status))
        return this.#merge(number, other, absorbed)
    }
    return { people: [number], appends: this.#lifeOf(number, person) }
  }

  #merge(number: number, other: number, absorbed: Person) {
    absorbed.absorbedInto = number
    absorbed.status = 'absorbed'
    return {
      people: [number, other],
      appends: [
        this.#contact(number, { type: 'ContactMerged', data: { absorbed: personOfYear(other) } }),
        this.#contact(other, { type: 'ContactAbsorbed', data: { into: personOfYear(number) } }),
      ],
    }
  }

  #separate(number: number, into: number) {
    const person = this.#people[number]
    if (person) {
      person.status = 'resolved'
      delete person.absorbedInto
    }
    return {
      people: [number, into],
      appends: [
        this.#contact(into, { type: 'ContactSeparated', data: { restored: personOfYear(number) } }),
        this.#contact(
          number,
          { type: 'ContactRestored', data: { from: personOfYear(into) } },
          { type: 'ConversationResolved', data: { attendantId } },
        ),
      ],
    }
  }

  #lifeOf(number: number, person: Person): Append[] {
    const chance = this.#random()
    if (person.status === 'absent') {
      person.status = 'waiting'
      person.line = wholeBetween(this.#random, 0, 2)
      return [this.#contact(number, this.#added(number)), this.#received(number, person)]
    }
    if (chance < 0.08) return this.#aside(number, person)
    if (person.status === 'waiting') {
      if (chance < 0.45) return [this.#received(number, person)]
      if (chance < 0.55) return this.#led(number, person)
      if (chance < 0.6) return [this.#elsewhere(number, person)]
      person.status = 'attending'
      return [
        this.#contact(number, { type: 'ConversationAccepted', data: { attendantId } }),
        this.#answered(number, person),
      ]
    }
    if (person.status === 'attending') {
      if (chance < 0.45) return [this.#received(number, person)]
      if (chance < 0.75) return [this.#answered(number, person)]
      person.status = 'resolved'
      return [this.#contact(number, { type: 'ConversationResolved', data: { attendantId } })]
    }
    if (chance < 0.15) {
      person.status = 'attending'
      return [
        this.#contact(number, { type: 'ConversationResumed', data: { attendantId } }),
        this.#answered(number, person),
      ]
    }
    person.status = 'waiting'
    return [this.#contact(number, { type: 'ConversationReopened', data: {} }), this.#received(number, person)]
  }

  /** What changes names, labels, lines and texts rather than the queue. */
  #aside(number: number, person: Person): Append[] {
    const labelId = labelOfYear(wholeBetween(this.#random, 0, labelsOfYear - 1))
    const messageId = this.#messageId(number, wholeBetween(this.#random, 0, Math.max(0, person.messages - 1)))
    const at = this.#time()
    const ofContact: (() => AnyEvent)[] = [
      () => ({ type: 'ContactRenamed', data: { name: `Cliente ${number} da rua ${person.messages}` } }),
      () => ({ type: 'ContactNamed', data: { name: `Bia ${number}` } }),
      () => ({ type: 'ContactLabelled', data: { labelId } }),
      () => ({ type: 'ContactLabelled', data: { labelId } }),
      () => ({ type: 'ContactUnlabelled', data: { labelId } }),
      () => ({ type: 'RobotSuspected', data: { reason: 'messages', count: 30, withinSeconds: 60 } }),
      () => ({ type: 'RobotSuspicionCleared', data: { attendantId } }),
      () => ({
        type: 'LineChosen',
        data: {
          connectionId: lineOfYear(wholeBetween(this.#random, 0, 2)),
          attendantId,
          chosenAt: at,
          lastReceivedAt: null,
        },
      }),
    ]
    const ofChat: (() => AnyEvent)[] = [
      () => ({ type: 'ChatSeen', data: { attendantId } }),
      () => ({ type: 'ChatSeen', data: { attendantId } }),
      () => ({
        type: 'MessageEdited',
        data: { messageId, content: { kind: 'text', text: 'Corrigido: às 19 h' }, editedAt: at },
      }),
      () => ({ type: 'MessageDeleted', data: { messageId, by: 'contact', deletedAt: at } }),
    ]
    // Erasure is rare, and ends both streams.
    if (this.#random() < 0.002) {
      person.status = 'erased'
      return [
        this.#contact(number, { type: 'ContactErased', data: {} }),
        this.#chat(number, { type: 'ChatErased', data: {} }),
      ]
    }
    const all = [...ofContact, ...ofChat]
    const chosen = wholeBetween(this.#random, 0, all.length - 1)
    const event = all[chosen]?.()
    if (!event) return []
    return [chosen < ofContact.length ? this.#contact(number, event) : this.#chat(number, event)]
  }

  /** A flow greets, and finishes or hands over. */
  #led(number: number, person: Person): Append[] {
    const runId = idOfYear(`run of ${number}`, person.runs++)
    const run = { runId, flowId, version: 1 }
    const reason = this.#random() < 0.5 ? 'handed_over' : 'completed'
    const isOver = this.#random() < 0.9
    const started: AnyEvent = {
      type: 'FlowRunStarted',
      data: {
        ...run,
        connectionId: lineOfYear(person.line),
        startedBy: 'any_message',
        startMessageId: null,
        text: texts[0] ?? '',
      },
    }
    return [
      { category: 'flowRun', id: personOfYear(number), events: [started] },
      this.#answered(number, person, 'flow'),
      ...(isOver
        ? [
            {
              category: 'flowRun' as const,
              id: personOfYear(number),
              events: [{ type: 'FlowRunEnded', data: { ...run, endedAt: this.#time(), reason } } as const],
            },
          ]
        : []),
    ]
  }

  #time() {
    return new Date(this.#at).toISOString()
  }

  #messageId(number: number, message: number) {
    return `3EB0${number.toString(16).toUpperCase()}X${message}`
  }

  #contact(number: number, ...events: AnyEvent[]): Append {
    return { category: 'contact', id: personOfYear(number), events }
  }

  #chat(number: number, ...events: AnyEvent[]): Append {
    return { category: 'chat', id: personOfYear(number), events }
  }

  #added(number: number): AnyEvent {
    const phone = `5511${900_000_000 + number}`
    return { type: 'ContactAdded', data: { name: `Cliente ${number}`, phone, lid: `${phone}@lid`, origin: 'message' } }
  }

  #message(number: number, person: Person) {
    return {
      messageId: this.#messageId(number, person.messages++),
      connectionId: lineOfYear(person.line),
      content: { kind: 'text', text: texts[wholeBetween(this.#random, 0, texts.length - 1)] ?? '' } as const,
    }
  }

  #received(number: number, person: Person): Append {
    if (this.#random() < 0.05) person.line = wholeBetween(this.#random, 0, linesOfYear - 1)
    const count = wholeBetween(this.#random, 1, 3)
    const events = Array.from(
      { length: count },
      (): AnyEvent => ({ type: 'MessageReceived', data: { ...this.#message(number, person), sentAt: this.#time() } }),
    )
    return this.#chat(number, ...events)
  }

  #elsewhere(number: number, person: Person): Append {
    return this.#chat(number, {
      type: 'MessageSentElsewhere',
      data: { ...this.#message(number, person), sentAt: this.#time() },
    })
  }

  #answered(number: number, person: Person, automatic?: 'flow'): Append {
    const data = this.#message(number, person)
    const { messageId } = data
    const toJid = `5511${900_000_000 + number}@s.whatsapp.net`
    const ticks = (['MessageSent', 'MessageDelivered', 'MessageRead'] as const).slice(
      0,
      wholeBetween(this.#random, 0, 3),
    )
    return this.#chat(
      number,
      { type: 'MessageQueued', data: { ...data, toJid, attendantId, ...(automatic && { automatic }) } },
      ...ticks.map((type): AnyEvent => ({ type, data: { messageId } })),
    )
  }
}

const stepsAtOnce = 400

/**
 * Appends a random year of about `events` events through the store, personal fields encrypted; steps of one person in order. Then the keys of those who
 * were erased are destroyed.
 */
export const storeYear = async (
  { store, codec, subjectKeys }: Pick<Ports, 'store' | 'codec' | 'subjectKeys'>,
  { contacts, events, seed }: { contacts: number; events: number; seed: number },
): Promise<number> => {
  const year = new Year(seed, contacts)
  const lengths = new Map<string, number>()
  const busy = new Map<number, Promise<void>>()
  const running = new Set<Promise<void>>()
  let stored = 0

  const append = async ({ category, id, events: all }: Append, at: string) => {
    const stream = streamName(category, id)
    const length = lengths.get(stream) ?? 0
    lengths.set(stream, length + all.length)
    const identified = all.map((event, index) => {
      const eventId = deriveId('year of history', stream, length + index)
      const actor = { kind: 'system', id: 'bench' } as const
      const metadata = { causationId: eventId, correlationId: eventId, actor, tenant: tenantOfYear, recordedAt: at }
      return { id: eventId, stream, event, metadata }
    })
    const expected = length === 0 ? 'no_stream' : BigInt(length - 1)
    const result = await store.append(stream, expected, await codec.encode(identified))
    if (!result.ok) throw new Error(`${stream} has other events`)
  }
  const appendAll = async (before: (Promise<void> | undefined)[], appends: Append[], at: string) => {
    await Promise.all(before)
    for (const each of appends) await append(each, at)
  }

  let month = 0
  while (stored < events) {
    const share = stored / events
    const at = new Date(began + Math.floor(share * yearMs)).toISOString()
    for (; month <= share * 12; month++) await appendAll([], year.ofTenant(month), at)
    const { people, appends } = year.next(share)
    stored += appends.reduce((sum, each) => sum + each.events.length, 0)
    const before = people.map((person) => busy.get(person))
    const work = appendAll(before, appends, at).finally(() => running.delete(work))
    running.add(work)
    for (const person of people) busy.set(person, work)
    if (running.size >= stepsAtOnce) await Promise.race(running)
  }
  await Promise.all(running)
  await subjectKeys.erase(year.erased.map((id) => `contact:${id}` as const))
  return stored
}
