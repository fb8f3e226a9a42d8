/** The part of a contact that tells where a merge leads. */
export interface Mergeable {
  status: string
  /** The survivor of the merge. */
  into: string | null
  /** Former parts of this contact. */
  separated: readonly string[]
}

export interface Survivor<C extends Mergeable> {
  id: string
  state: C
}

/** Follows merges. A contact that was separated and not restored yet is its own survivor. */
export const survivorOf = async <C extends Mergeable>(
  load: (id: string) => Promise<C>,
  id: string,
): Promise<Survivor<C>> => {
  let person = { id, state: await load(id) }
  while (person.state.status === 'absorbed' && person.state.into !== null) {
    const next = { id: person.state.into, state: await load(person.state.into) }
    if (next.state.separated.includes(person.id)) break
    person = next
  }
  return person
}
