import type { Visitor } from '../../test/visitor.ts'
import type { Stage } from '../stage.ts'

/** The panel of an administrator, and beside it the window of Marina, whose account it is about. */
interface Office extends Stage {
  shop: Stage
  marina: Visitor
}

/** What a chapter of tests asks for when one of its tests runs. */
export type OnStage = () => Office
