import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Codec, Stored } from '@prosa/kernel/event-store/codec'
import { beginning, type EventStore, type Position } from '@prosa/kernel/event-store/port'

/**
 * Lets reactors handle everything in a log and what follows from it, until nothing is left: each in log order, which of them
 * goes next as `choose` says (an index below its argument), and any event twice in a row where it says so.
 */
export const reactInAnyOrder = async (
  reactors: readonly Reactor[],
  store: EventStore,
  codec: Codec,
  choose: (below: number) => number,
  /** How far each of them got; those who go on later pass the same one again. */
  reached = new Map<Reactor, Position>(),
): Promise<void> => {
  const nextOf = async (reactor: Reactor): Promise<Stored | undefined> => {
    const after = reached.get(reactor) ?? beginning
    for await (const { events } of store.readAll(after, { categories: reactor.categories }))
      for (const event of await codec.decode(events)) return event
    return undefined
  }

  for (;;) {
    const behind: { reactor: Reactor; event: Stored }[] = []
    for (const reactor of reactors) {
      const event = await nextOf(reactor)
      if (event) behind.push({ reactor, event })
    }
    const next = behind[choose(behind.length)]
    if (!next) return
    const { reactor, event } = next
    const handle = reactor.on[event.type] as ((event: Stored) => Promise<void>) | undefined
    await handle?.(event)
    // As after a crash: the checkpoint did not get as far.
    if (choose(4) > 0) reached.set(reactor, event.position)
  }
}
