import { type KeyboardEvent, useEffect, useState } from 'react'

interface Options<Item> {
  /** What is looked for, at rest. */
  search: string
  items: readonly Item[]
  /** What is in view answers an older question. */
  isOld: boolean
  /** 'opened' when that opened a conversation, 'stayed' when it brought more lines. */
  onChoose: (item: Item) => 'opened' | 'stayed'
}

/** The walk over the lines of a result, which the keys of the search box and of the results share. */
export const useResultWalk = <Item extends { domId: string }>({ search, items, isOld, onChoose }: Options<Item>) => {
  const [activeId, setActiveId] = useState<string | null>(null)
  /** Where the lines come in that were asked for. */
  const [awaitedAt, setAwaitedAt] = useState<number | null>(null)
  const [searched, setSearched] = useState(search)
  const pointAt = (id: string | null) => {
    setActiveId(id)
    setAwaitedAt(null)
  }
  if (searched !== search) {
    setSearched(search)
    pointAt(null)
  }
  // The line that led to more has made room: the walk goes on with the first that came.
  const came = awaitedAt === null ? undefined : items[awaitedAt]
  if (came && came.domId !== activeId) pointAt(came.domId)

  const pointed = items.find(({ domId }) => domId === activeId)
  const pointedId = pointed?.domId
  useEffect(() => {
    if (pointedId) document.getElementById(pointedId)?.scrollIntoView?.({ block: 'nearest' })
  }, [pointedId])

  const choose = (item: Item) => {
    pointAt(item.domId)
    const outcome = onChoose(item)
    if (outcome === 'stayed') setAwaitedAt(items.indexOf(item))
    return outcome
  }

  const move = (step: 1 | -1) => {
    const at = items.findIndex(({ domId }) => domId === activeId)
    const to = items[at === -1 ? 0 : Math.min(Math.max(at + step, 0), items.length - 1)]
    if (to) pointAt(to.domId)
  }

  /** ↑ ↓ walk, Enter chooses, the first when none is pointed at. 'opened' when a conversation was; null for any other key. */
  const onKeyDown = (event: KeyboardEvent): 'stayed' | 'opened' | null => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return null
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      move(event.key === 'ArrowDown' ? 1 : -1)
      return 'stayed'
    }
    if (event.key !== 'Enter') return null
    event.preventDefault()
    // What stands first may still be the answer to an older question.
    const item = pointed ?? (isOld ? undefined : items[0])
    return item ? choose(item) : 'stayed'
  }

  /** The same keys where nothing is written, and J and K, as in the list of conversations. */
  const onListKeyDown = (event: KeyboardEvent): void => {
    if (onKeyDown(event) !== null || event.ctrlKey || event.metaKey || event.altKey) return
    const key = event.key.toLowerCase()
    if (key !== 'j' && key !== 'k') return
    event.preventDefault()
    move(key === 'j' ? 1 : -1)
  }

  return {
    /** Undefined when nothing is pointed at, or it is no longer there. */
    activeId: pointedId,
    choose,
    onKeyDown,
    onListKeyDown,
  }
}
