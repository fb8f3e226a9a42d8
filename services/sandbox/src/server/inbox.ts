import { children, type Stanza } from '../wire/stanza.ts'

/** Stanzas a device has not acknowledged yet, oldest first. */
export class Inbox {
  readonly #stanzas = new Map<string, Stanza>()

  get size() {
    return this.#stanzas.size
  }

  values(): Stanza[] {
    return [...this.#stanzas.values()]
  }

  /** Keeps a stanza; the same one put again takes the place of its first copy. */
  put(stanza: Stanza) {
    const { id, from, type = '' } = stanza.attrs
    this.#stanzas.set(`${stanza.tag}/${id}/${from}/${type}`, stanza)
  }

  /** Forgets every stanza of kind `tag` that the acknowledgement names, by its id or in its <list>. */
  settle(tag: string, { attrs, content }: Stanza) {
    const lists = Array.isArray(content) ? content : []
    const ids = [attrs.id, ...lists.flatMap((list) => children(list, 'item').map((item) => item.attrs.id))]
    const named = (key: string) => ids.some((id) => key.startsWith(`${tag}/${id}/`))
    for (const key of [...this.#stanzas.keys()].filter(named)) this.#stanzas.delete(key)
  }
}
