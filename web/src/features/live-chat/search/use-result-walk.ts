import { type KeyboardEvent, useEffect, useState } from 'react'

interface Options<Item> {
  search: string
  items: readonly Item[]
  /** The items are of an older search. */
  isOld: boolean
  /** 'opened': a conversation; 'stayed': more lines. */
  onChoose: (item: Item) => 'opened' | 'stayed'
}

/** Cursor shared by the search box and the results. */
export const useResultWalk = <Item extends { domId: string }>({ search, items, isOld, onChoose }: Options<Item>) => {
  const [activeId, setActiveId] = useState<string | null>(null)
  /** Index of the first requested line. */
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
  // New lines replace the 'more' line: the cursor goes to the first.
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

  /** ↑ ↓ move, Enter chooses, by default the first. Null for any other key. */
  const onKeyDown = (event: KeyboardEvent): 'stayed' | 'opened' | null => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return null
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      move(event.key === 'ArrowDown' ? 1 : -1)
      return 'stayed'
    }
    if (event.key !== 'Enter') return null
    event.preventDefault()
    // The first line may be of an older search.
    const item = pointed ?? (isOld ? undefined : items[0])
    return item ? choose(item) : 'stayed'
  }

  /** Also J and K, where nothing is typed. */
  const onListKeyDown = (event: KeyboardEvent): void => {
    if (onKeyDown(event) !== null || event.ctrlKey || event.metaKey || event.altKey) return
    const key = event.key.toLowerCase()
    if (key !== 'j' && key !== 'k') return
    event.preventDefault()
    move(key === 'j' ? 1 : -1)
  }

  return {
    /** Undefined when none is active or it is gone. */
    activeId: pointedId,
    choose,
    onKeyDown,
    onListKeyDown,
  }
}
