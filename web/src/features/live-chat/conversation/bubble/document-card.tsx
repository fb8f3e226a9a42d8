import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import type { Message, MessageMedia } from '@prosa/contracts/http/live-chat'
import AudioFileRounded from '~icons/ic/round-audio-file'
import DescriptionRounded from '~icons/ic/round-description'
import DownloadRounded from '~icons/ic/round-download'
import FolderZipRounded from '~icons/ic/round-folder-zip'
import ImageRounded from '~icons/ic/round-image'
import InsertDriveFileRounded from '~icons/ic/round-insert-drive-file'
import PictureAsPdfRounded from '~icons/ic/round-picture-as-pdf'
import SlideshowRounded from '~icons/ic/round-slideshow'
import TableChartRounded from '~icons/ic/round-table-chart'
import VideoFileRounded from '~icons/ic/round-video-file'
import { FileName } from '../../../../components/file-name.tsx'
import { downloadPath } from '../../api.ts'
import { fileSize } from '../../file-size.ts'
import { useUpload } from '../../outbox/use-uploads.ts'
import type { BubbleActions } from './bubble-actions.ts'
import { fileNameOf } from './media-words.ts'
import { UploadProgress } from './upload-progress.tsx'

const iconsByEnding = [
  { endings: /\.pdf$/i, types: /pdf/, Icon: PictureAsPdfRounded },
  { endings: /\.(xlsx?|ods|csv)$/i, types: /sheet|excel|csv/, Icon: TableChartRounded },
  { endings: /\.(pptx?|odp)$/i, types: /presentation|powerpoint/, Icon: SlideshowRounded },
  { endings: /\.(docx?|odt|rtf|txt|md)$/i, types: /word|text/, Icon: DescriptionRounded },
  { endings: /\.(zip|rar|7z|tar|gz)$/i, types: /zip|compressed|tar/, Icon: FolderZipRounded },
  { endings: /\.(jpe?g|png|gif|webp|heic|svg)$/i, types: /^image/, Icon: ImageRounded },
  { endings: /\.(mp3|ogg|m4a|wav|aac|opus)$/i, types: /^audio/, Icon: AudioFileRounded },
  { endings: /\.(mp4|mov|avi|mkv|3gp)$/i, types: /^video/, Icon: VideoFileRounded },
]

export const DocumentIcon = ({ name, mediaType }: { name: string; mediaType: string }) => {
  const known =
    iconsByEnding.find(({ endings }) => endings.test(name)) ?? iconsByEnding.find(({ types }) => types.test(mediaType))
  const Icon = known?.Icon ?? InsertDriveFileRounded
  return <Icon aria-hidden sx={{ flexShrink: 0 }} />
}

const endingOf = (name: string): string => (/\.([a-z0-9]{1,5})$/i.exec(name)?.[1] ?? '').toUpperCase()

interface Props {
  message: Message
  media: MessageMedia
  actions: BubbleActions
}

export const DocumentCard = ({ message, media, actions }: Props) => {
  const upload = useUpload(message.id)
  const name = fileNameOf(message)
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        width: 'min(var(--voice-width), 62cqi)',
        minHeight: 'var(--target)',
        whiteSpace: 'normal',
      }}
    >
      <DocumentIcon name={name} mediaType={media.mediaType} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography component="p" variant="subtitle2">
          <FileName name={name} />
        </Typography>
        <Typography variant="caption" component="p">
          {[endingOf(name), fileSize(media.bytes)].filter(Boolean).join(' · ')}
        </Typography>
      </Box>
      {upload?.cancel ? (
        <UploadProgress message={message} upload={upload} onDiscard={actions.onDiscard} />
      ) : (
        <IconButton
          component="a"
          color="inherit"
          href={upload ? upload.address : downloadPath(media.id)}
          download={name}
          aria-label={`Baixar ${name}`}
        >
          <DownloadRounded />
        </IconButton>
      )}
    </Box>
  )
}
