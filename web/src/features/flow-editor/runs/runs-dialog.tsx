import type { FlowDocument } from '@prosa/contracts/flows/flow-document'

interface Props {
  flowId: string
  /** The draft as it stands on the canvas. */
  document: FlowDocument
  /** Selects a node on the canvas. */
  onShowNode: (nodeId: string) => void
  onClose: () => void
}

/** The runs of a flow, each explained step by step, and the draft over those of the last week. */
export const RunsDialog = (_: Props) => null
