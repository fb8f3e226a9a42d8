import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import type { SimulatedMessage } from '@prosa/contracts/http/simulator'
import FileIcon from '~icons/ic/round-insert-drive-file'

type Props = { message: SimulatedMessage; address: string }

export const PhoneFile = ({ message: { kind, text, file }, address }: Props) => {
  if (!file) return null
  if (kind === 'image' || kind === 'sticker')
    return (
      <Box
        component="img"
        src={address}
        alt={text || (kind === 'sticker' ? 'Figurinha' : 'Foto')}
        width={file.width ?? undefined}
        height={file.height ?? undefined}
        loading="lazy"
        sx={{ display: 'block', maxWidth: '100%', height: 'auto', borderRadius: 'var(--radius-panel)' }}
      />
    )
  if (kind === 'video')
    return (
      // biome-ignore lint/a11y/useMediaCaption: what people film with their phones has no captions
      <video
        src={address}
        controls
        preload="metadata"
        style={{ maxWidth: '100%', borderRadius: 'var(--radius-panel)' }}
      />
    )
  if (kind === 'audio' || kind === 'voice')
    return (
      // biome-ignore lint/a11y/useMediaCaption: nobody wrote down the speech
      <audio
        src={address}
        controls
        preload="metadata"
        aria-label={kind === 'voice' ? 'Mensagem de voz' : 'Áudio'}
        style={{ display: 'block', width: '100%' }}
      />
    )
  return (
    <Link
      href={address}
      download={file.fileName ?? 'documento'}
      sx={{ display: 'flex', alignItems: 'center', gap: 2, minHeight: 'var(--target)', overflowWrap: 'anywhere' }}
    >
      <FileIcon aria-hidden="true" />
      {file.fileName ?? 'Documento'}
    </Link>
  )
}
