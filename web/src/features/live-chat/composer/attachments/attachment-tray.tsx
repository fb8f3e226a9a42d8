import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ButtonBase from '@mui/material/ButtonBase'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import CloseRounded from '~icons/ic/round-close'
import { FileName } from '../../../../components/file-name.tsx'
import { DocumentIcon } from '../../conversation/bubble/document-card.tsx'
import { fileSize } from '../../file-size.ts'
import type { Attachment, GoingAttachment } from './attachment.ts'
import type { AttachmentKind } from './attachment-kind.ts'
import type { Attachments } from './use-attachments.ts'

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
  const { file, address, kind, kinds } = attachment
  return (
    <ButtonBase
      aria-label={file.name}
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
        borderColor: isChosen ? 'primary.main' : 'divider',
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

interface LineProps {
  attachment: Attachment
  children: ReactNode
  isRefused?: boolean
  action?: ReactNode
  onRemove: (() => void) | null
}

const Line = ({ attachment: { file }, children, isRefused = false, action, onRemove }: LineProps) => (
  <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, mb: 2 }}>
    <Box sx={{ flex: 1, minWidth: 0 }}>
      <Typography variant="subtitle2" component="p">
        <FileName name={file.name} />
      </Typography>
      <Typography
        variant="caption"
        component="p"
        role={isRefused ? 'alert' : undefined}
        sx={{ color: isRefused ? 'danger' : 'text.secondary' }}
      >
        {children}
      </Typography>
    </Box>
    {action}
    {onRemove && (
      <IconButton aria-label={`Remover ${file.name}`} color="secondary" onClick={onRemove}>
        <CloseRounded />
      </IconButton>
    )}
  </Box>
)

const Chosen = ({ attachments, chosen }: { attachments: Attachments; chosen: GoingAttachment }) => {
  const other = chosen.kinds.find((kind) => kind !== chosen.kind)
  return (
    <Line
      attachment={chosen}
      onRemove={() => attachments.remove(chosen)}
      action={
        other && (
          <Button size="small" onClick={() => attachments.setKind(chosen, other)}>
            Enviar como {kindLabels[other]}
          </Button>
        )
      }
    >
      {`Vai como ${kindLabels[chosen.kind]} · ${fileSize(chosen.file.size)}`}
      {chosen.kind === 'audio' && chosen.caption !== '' && ' · a legenda vai como mensagem própria'}
    </Line>
  )
}

interface Props {
  attachments: Attachments
  chosen: GoingAttachment | undefined
  onChoose: (id: string) => void
}

/** Sent but still being prepared, with the messages queued behind it. */
const Leaving = ({ attachment }: { attachment: Attachment }) => (
  <>
    <Line attachment={attachment} onRemove={null}>
      Preparando o envio
    </Line>
    {attachment.leaving?.after.map(({ content, file }, index) => (
      <Typography
        // biome-ignore lint/suspicious/noArrayIndexKey: what waits stays in its place
        key={index}
        noWrap
        variant="body2"
        sx={{ mb: 2, color: 'text.secondary' }}
      >
        {file ? 'Mensagem de voz' : content}
      </Typography>
    ))}
  </>
)

export const AttachmentTray = ({ attachments, chosen, onChoose }: Props) => (
  <Box role="group" aria-label="Arquivos para enviar" data-tray sx={{ mb: 2 }}>
    {attachments.all.map((attachment) =>
      attachment.leaving ? (
        <Leaving key={attachment.id} attachment={attachment} />
      ) : (
        attachment.refusal && (
          <Line key={attachment.id} attachment={attachment} isRefused onRemove={() => attachments.remove(attachment)}>
            {attachment.refusal}
          </Line>
        )
      ),
    )}
    {chosen && (
      <>
        <Chosen attachments={attachments} chosen={chosen} />
        <Box sx={{ display: 'flex', gap: 2, overflowX: 'auto', pb: 1 }}>
          {attachments.going.map((attachment) => (
            <Thumb
              key={attachment.id}
              attachment={attachment}
              isChosen={attachment.id === chosen.id}
              onChoose={() => onChoose(attachment.id)}
            />
          ))}
        </Box>
      </>
    )}
  </Box>
)
