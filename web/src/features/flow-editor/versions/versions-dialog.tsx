import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowDetail } from '@prosa/contracts/http/flows'

interface Props {
  flowId: string
  /** The draft as it stands on the canvas. */
  document: FlowDocument
  /** What the draft was saved as last. */
  revision: number
  /** The draft is that of a version now. */
  onRestored: (flow: FlowDetail) => void
  onClose: () => void
}

/** Who published what and when; what changed; and the way back to it. */
export const VersionsDialog = (_: Props) => null
