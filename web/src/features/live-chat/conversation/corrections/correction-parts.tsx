import { ConfirmDialog } from '../../../../components/forms/confirm-dialog.tsx'

/** One chunk, for those who change messages. */
export { MessageMenu } from './message-menu.tsx'

interface Props {
  contactName: string
  onConfirm: () => void
  onClose: () => void
}

export const DeleteMessageDialog = ({ contactName, onConfirm, onClose }: Props) => (
  <ConfirmDialog
    open
    destructive
    title="Apagar esta mensagem para todos?"
    sentence={`${contactName} verá “Mensagem apagada” no lugar dela. Isto não pode ser desfeito.`}
    confirm="Apagar para todos"
    onConfirm={onConfirm}
    onCancel={onClose}
  />
)
