/** What happened in one conversation, in the order in which it was recorded. */
export type LineFact =
  | { what: 'wrote'; connectionId: string; at: string }
  /** `lastReceivedAt`: the latest `at` that was known by then. */
  | { what: 'chose'; connectionId: string; lastReceivedAt: string | null }
  | { what: 'answered'; connectionId: string }

const latestBy = <T>(items: readonly T[], momentOf: (item: T) => string): T | undefined =>
  items.reduce<T | undefined>((best, each) => (best && momentOf(best) > momentOf(each) ? best : each), undefined)

/**
 * Over which connection answers leave, found out of all facts by the words of the rule and nothing else: the one that the person wrote to last,
 * or that an attendant chose since; where neither is so, the one over which the own side wrote last. What is about a connection that
 * is gone does not count.
 */
export const lineByTheWords = (
  facts: readonly LineFact[],
  isThere: (connectionId: string) => boolean,
): string | undefined => {
  const standing = facts.filter(({ connectionId }) => isThere(connectionId))
  const written = latestBy(
    standing.flatMap((fact) => (fact.what === 'wrote' ? [fact] : [])),
    ({ at }) => at,
  )
  const chosen = latestBy(
    standing.flatMap((fact) => (fact.what === 'chose' ? [fact] : [])),
    ({ lastReceivedAt }) => lastReceivedAt ?? '',
  )
  if (chosen && (chosen.lastReceivedAt ?? '') >= (written?.at ?? '')) return chosen.connectionId
  return (written ?? standing.findLast(({ what }) => what === 'answered'))?.connectionId
}
