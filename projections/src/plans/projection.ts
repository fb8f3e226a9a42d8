import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { type PlanRow, planTable } from './table.ts'

const key = ({ stream }: { stream: string }) => parseStream(stream).id

/** Includes deleted plans. */
export const plans: Projection<PlanRow> = {
  name: 'plans',
  version: 1,
  categories: ['plan'],
  table: planTable,
  on: {
    PlanCreated: {
      key,
      row: (_, { stream, position, data }) => ({
        id: parseStream(stream).id,
        ...data,
        place: position,
        isOffered: true,
      }),
    },
    PlanRevised: { key, row: (row, { data: { before, ...offer } }) => row && { ...row, ...offer } },
    PlanDeleted: { key, row: (row) => row && { ...row, isOffered: false } },
  },
}
