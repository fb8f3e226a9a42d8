import { useToast } from '../../../../lib/toast.ts'
import { type Attachments, maximumAttachments } from './use-attachments.ts'
import { useFileDrop, useFilePaste } from './use-file-drop.ts'

interface Options {
  attachments: Attachments
  canWrite: boolean
  isRecording: boolean
  onFocusComposer: () => void
}

export const useAttaching = ({ attachments, canWrite, isRecording, onFocusComposer }: Options) => {
  const toast = useToast()
  const attach = (files: readonly File[], asDocument = false) => {
    if (attachments.add(files, asDocument) > 0)
      toast({
        kind: 'info',
        title: `No máximo ${maximumAttachments} arquivos de cada vez`,
        description: 'Envie estes e depois os outros.',
      })
    onFocusComposer()
  }
  const { isOver, handlers } = useFileDrop(canWrite, attach)
  useFilePaste(canWrite && !isRecording, attach)
  return { attach, isOver, dropHandlers: handlers }
}
