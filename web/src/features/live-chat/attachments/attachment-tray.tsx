import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ButtonBase from '@mui/material/ButtonBase'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import CloseRounded from '~icons/ic/round-close'
import { DocumentIcon } from '../bubble/document-card.tsx'
import type { Attachments } from '../use-attachments.ts'
import type { Attachment } from './attachment.ts'
import type { AttachmentKind } from './attachment-kind.ts'
import { fileSize } from './file-size.ts'

const kindLabels: Record<AttachmentKind, string> = {
  image: 'foto',
  video: 'vídeo',
  audio: 'áudio',
  document: 'documento',
}

const Thumb = ({
  attachment,
  isChosen,
  onChoose,
}: {
  attachment: Attachment
  isChosen: boolean
  onChoose: () => void
}) => {
  const { file, address, kind, kinds, refusal } = attachment
  return (
    <ButtonBase
      aria-label={`${file.name}${refusal ? `. ${refusal}` : ''}`}
      aria-pressed={isChosen}
      onClick={onChoose}
      sx={{
        position: 'relative',
        flexShrink: 0,
        width: 'var(--thumb)',
        height: 'var(--thumb)',
        overflow: 'hidden',
        borderRadius: 'var(--radius-control)',
        border: '2px solid',
        borderColor: refusal ? 'danger' : isChosen ? 'primary.main' : 'divider',
        bgcolor: 'sunken',
        color: 'text.secondary',
      }}
    >
      {kinds.includes('image') ? (
        <Box component="img" src={address} alt="" sx={{ width: '100%', height: '100%', objectFit: 'cover' }} />
      ) : kind === 'video' ? (
        <Box component="video" src={address} muted sx={{ width: '100%', height: '100%', objectFit: 'cover' }} />
      ) : (
        <DocumentIcon name={file.name} mediaType={file.type} />
      )}
    </ButtonBase>
  )
}

interface Props {
  attachments: Attachments
  chosenId: string
  onChoose: (id: string) => void
}

/** The files about to be sent: the chosen one says what it is and how it goes; the box below is its caption. */
export const AttachmentTray = ({ attachments, chosenId, onChoose }: Props) => {
  const files = attachments.attachments
  const chosen = files.find(({ id }) => id === chosenId)
  const other = chosen?.kinds.find((kind) => kind !== chosen.kind)
  return (
    <Box role="group" aria-label="Arquivos para enviar" sx={{ mb: 2 }}>
      {chosen && (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, mb: 2 }}>
          <Box sx={{ flex: 1, minWidth: 0 }}>
            <Typography noWrap variant="subtitle2" component="p">
              {chosen.file.name}
            </Typography>
            <Typography
              variant="caption"
              component="p"
              role={chosen.refusal ? 'alert' : undefined}
              sx={{ color: chosen.refusal ? 'danger' : 'text.secondary' }}
            >
              {chosen.refusal ?? `Vai como ${kindLabels[chosen.kind]} · ${fileSize(chosen.file.size)}`}
              {chosen.kind === 'audio' && chosen.caption !== '' && ' · a legenda vai como mensagem própria'}
            </Typography>
          </Box>
          {other && (
            <Button size="small" onClick={() => attachments.setKind(chosen, other)}>
              Enviar como {kindLabels[other]}
            </Button>
          )}
          <IconButton
            aria-label={`Remover ${chosen.file.name}`}
            color="secondary"
            onClick={() => attachments.remove(chosen.id)}
          >
            <CloseRounded />
          </IconButton>
        </Box>
      )}
      <Box sx={{ display: 'flex', gap: 2, overflowX: 'auto', pb: 1 }}>
        {files.map((attachment) => (
          <Thumb
            key={attachment.id}
            attachment={attachment}
            isChosen={attachment.id === chosenId}
            onChoose={() => onChoose(attachment.id)}
          />
        ))}
      </Box>
    </Box>
  )
}
