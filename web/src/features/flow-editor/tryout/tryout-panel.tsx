import type { FlowDocument } from '@prosa/contracts/flows/flow-document'

interface Props {
  flowId: string
  /** The draft as it stands on the canvas. */
  document: FlowDocument
  /** Where the test stands, for the canvas to light; null outside a run. */
  onStanding: (nodeId: string | null) => void
  onClose: () => void
}

/** 'Testar': a conversation with the draft, beside the canvas. */
export const TryoutPanel = (_: Props) => null
