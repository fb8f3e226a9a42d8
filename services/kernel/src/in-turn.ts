/** Does what is asked for one key one after the other, in the order of asking; different keys do not wait for each other. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>

export const inTurns = (): InTurn => {
  const queues = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const turn = (queues.get(key) ?? Promise.resolve()).then(work, work)
    queues.set(key, turn)
    const leave = () => {
      if (queues.get(key) === turn) queues.delete(key)
    }
    turn.then(leave, leave)
    return turn
  }
}
