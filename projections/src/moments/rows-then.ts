import { type Category, streamName } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { PositionTokens } from '@prosa/kernel/http/reading/position-tokens'
import type { Ports } from '@prosa/kernel/ports'
import { momentAsked } from './moment.ts'
import { foldEvents, readUpTo } from './read-up-to.ts'

type RowsThen = <Row extends object>(
  projection: Projection<Row>,
  category: Category,
  asked: { tenant: string; em: string },
) => Promise<Row[]>

/** Rows of a tenant's one stream of a category, as the read model had them at `em`. */
export const rowsThen =
  (ports: Pick<Ports, 'store' | 'codec' | 'pool' | 'clock'>, tokens: PositionTokens): RowsThen =>
  async (projection, category, { tenant, em }) => {
    const moment = await momentAsked(ports, tokens, tenant, em)
    return [...foldEvents(projection, await readUpTo(ports, streamName(category, tenant), moment)).values()]
  }

interface Sorted {
  id: string
  /** Without accents and case. */
  sortName: string
}

/** As the lists are read. */
export const byName = (one: Sorted, other: Sorted): number =>
  `${one.sortName}\0${one.id}` < `${other.sortName}\0${other.id}` ? -1 : 1
