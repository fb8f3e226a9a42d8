import type { FlowDocument } from '@prosa/contracts/flows/flow-document'

interface Props {
  flowId: string
  document: FlowDocument
  onClose: () => void
}

/** 'Preview': the conversation as a phone shows it. */
export const PreviewDialog = (_: Props) => null
