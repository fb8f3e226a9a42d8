/** Work waits here until the scenario opens the gate. */
export type Gate = (name: string) => Promise<void>

export interface Explored {
  orders: number
  /** In the longest order. */
  steps: number
}

/** Resolves once only gates are left to wait for. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Long work yields before it reaches its gate. */
const maxIterations = 1000

/**
 * Runs a scenario once per order of its gates: each run repeats the last one's choices except the last with an alternative. Explores only
 * waits for gates and promises.
 */
export const everyOrder = async (scenario: (gate: Gate) => Promise<void>): Promise<Explored> => {
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
      for (let iteration = 0; iteration < maxIterations && !outcome && waiting.length < gates; iteration++)
        await settled()
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
    const iteration = opened[last]
    if (!iteration) return explored
    repeated = [...opened.slice(0, last), { ...iteration, choice: iteration.choice + 1 }]
  }
}
