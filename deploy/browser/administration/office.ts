import type { Visitor } from '../../test/visitor.ts'
import type { Stage } from '../stage.ts'

interface Office extends Stage {
  shop: Stage
  marina: Visitor
}

export type OnStage = () => Office
