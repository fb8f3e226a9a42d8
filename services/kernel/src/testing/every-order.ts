/** A point at which work waits until it is its turn. */
export type Gate = (name: string) => Promise<void>

export interface Explored {
  orders: number
  /** The longest of them. */
  steps: number
}

/** Once all promises that are resolved by now have been followed: nothing but gates is left to wait for. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Work that takes long lets others have a turn, so that it may not have come to its gate after one. */
const maxTurns = 1000

/**
 * Runs a scenario once for every order in which the gates that it comes to can be opened: each time from the beginning, with the choices of
 * the run before but for the last one that had another. Whoever waits for anything but gates and promises is not explored. Fails with
 * the order in which the scenario failed, and where it waits for ever.
 */
export const everyOrder = async (scenario: (gate: Gate) => Promise<void>): Promise<Explored> => {
  /** What is chosen first, and of how many: as in the run before. */
  let repeated: { choice: number; of: number }[] = []
  const explored = { orders: 0, steps: 0 }
  for (;;) {
    const waiting: { name: string; open: () => void }[] = []
    const opened: { name: string; choice: number; of: number }[] = []
    const gate: Gate = (name) => new Promise<void>((open) => waiting.push({ name, open }))
    let outcome: { error?: unknown } | undefined
    scenario(gate).then(
      () => {
        outcome = {}
      },
      (error: unknown) => {
        outcome = { error }
      },
    )
    await settled()
    const waitFor = async (gates: number) => {
      for (let turn = 0; turn < maxTurns && !outcome && waiting.length < gates; turn++) await settled()
    }
    for (;;) {
      const { choice, of } = repeated[opened.length] ?? { choice: 0, of: 1 }
      await waitFor(of)
      if (outcome && waiting.length === 0) break
      const [next] = waiting.splice(choice, 1)
      const order = () => opened.map(({ name }) => name).join(', ')
      if (!next) throw new Error(`waits for ever after: ${order()}`)
      opened.push({ name: next.name, choice, of: waiting.length + 1 })
      next.open()
      await settled()
      if (outcome && 'error' in outcome) throw new Error(`in this order: ${order()}`, { cause: outcome.error })
    }
    explored.orders += 1
    explored.steps = Math.max(explored.steps, opened.length)
    const last = opened.findLastIndex(({ choice, of }) => choice + 1 < of)
    const turn = opened[last]
    if (!turn) return explored
    repeated = [...opened.slice(0, last), { ...turn, choice: turn.choice + 1 }]
  }
}
