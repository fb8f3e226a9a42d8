export type LineFact =
  | { what: 'wrote'; connectionId: string; at: string }
  /** Latest `at` known by then. */
  | { what: 'chose'; connectionId: string; lastReceivedAt: string | null }
  | { what: 'answered'; connectionId: string }

const latestBy = <T>(items: readonly T[], momentOf: (item: T) => string): T | undefined =>
  items.reduce<T | undefined>((best, each) => (best && momentOf(best) > momentOf(each) ? best : each), undefined)

/** Reference implementation of `lineAmong`. */
export const lineByTheWords = (
  facts: readonly LineFact[],
  exists: (connectionId: string) => boolean,
): string | undefined => {
  const ofExisting = facts.filter(({ connectionId }) => exists(connectionId))
  const written = latestBy(
    ofExisting.flatMap((fact) => (fact.what === 'wrote' ? [fact] : [])),
    ({ at }) => at,
  )
  const chosen = latestBy(
    ofExisting.flatMap((fact) => (fact.what === 'chose' ? [fact] : [])),
    ({ lastReceivedAt }) => lastReceivedAt ?? '',
  )
  if (chosen && (chosen.lastReceivedAt ?? '') >= (written?.at ?? '')) return chosen.connectionId
  return (written ?? ofExisting.findLast(({ what }) => what === 'answered'))?.connectionId
}
