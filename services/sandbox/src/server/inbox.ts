import { children, type Stanza } from '../wire/stanza.ts'
import { saveStanza } from './saved-parts.ts'
import { RecordedMap, type StateChanges } from './state-changes.ts'

export class Inbox {
  readonly #stanzas: RecordedMap<string, Stanza>
  /** Keys by kind and id of the acknowledgement: nearly always one. */
  readonly #keys = new Map<string, Set<string>>()

  constructor(changes: StateChanges) {
    this.#stanzas = new RecordedMap(changes, saveStanza)
  }

  get size() {
    return this.#stanzas.size
  }

  values(): Stanza[] {
    return [...this.#stanzas.values()]
  }

  /** A repeated stanza replaces its first copy. */
  put(stanza: Stanza) {
    const { id, from, participant = '', type = '' } = stanza.attrs
    const name = `${stanza.tag}/${id}`
    const key = `${name}/${from}/${participant}/${type}`
    this.#stanzas.set(key, stanza)
    const keys = this.#keys.get(name) ?? new Set()
    this.#keys.set(name, keys.add(key))
  }

  settle(tag: string, { attrs, content }: Stanza) {
    this.#forget(`${tag}/${attrs.id}`)
    if (!Array.isArray(content)) return
    for (const list of content) {
      for (const item of children(list, 'item')) this.#forget(`${tag}/${item.attrs.id}`)
    }
  }

  #forget(name: string) {
    for (const key of this.#keys.get(name) ?? []) this.#stanzas.delete(key)
    this.#keys.delete(name)
  }
}
