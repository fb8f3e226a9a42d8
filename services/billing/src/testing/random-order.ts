import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Codec, Stored } from '@prosa/kernel/event-store/codec'
import { beginning, type EventStore, type Position } from '@prosa/kernel/event-store/port'

/** `choose` (an index below its argument) interleaves reactors and repeats events, until none has work. */
export const reactInAnyOrder = async (
  reactors: readonly Reactor[],
  store: EventStore,
  codec: Codec,
  choose: (below: number) => number,
  /** Checkpoints of the reactors. */
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
    // Simulates a crash before the checkpoint.
    if (choose(4) > 0) reached.set(reactor, event.position)
  }
}
