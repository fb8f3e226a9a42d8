/** Runs works one after the other; one that fails does not keep the next from running. */
export type OneAtATime = <T>(work: () => Promise<T>) => Promise<T>

export const oneAtATime = (): OneAtATime => {
  let turn: Promise<unknown> = Promise.resolve()
  return (work) => {
    const own = turn.then(work, work)
    turn = own
    return own
  }
}
