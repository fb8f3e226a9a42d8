import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import type { Message, MessageMedia } from '@prosa/contracts/http/live-chat'
import { useAtomValue } from 'jotai'
import { useState, useSyncExternalStore } from 'react'
import DownloadRounded from '~icons/ic/round-download'
import PauseRounded from '~icons/ic/round-pause'
import PlayArrowRounded from '~icons/ic/round-play-arrow'
import { FileName } from '../../../../components/file-name.tsx'
import { minutesAndSeconds } from '../../../../lib/format/format.ts'
import { downloadPath, mediaPath } from '../../api.ts'
import { audioPlayerAtom } from '../../atoms.ts'
import { useUpload } from '../../outbox/use-uploads.ts'
import type { BubbleActions } from './bubble-actions.ts'
import { fileNameOf, kindName } from './media-words.ts'
import { UploadProgress } from './upload-progress.tsx'
import { Waveform } from './waveform.tsx'

interface Props {
  message: Message
  media: MessageMedia
  actions: BubbleActions
}

const stopped = { isPlaying: false, time: 0, duration: null, failed: false }
const speed = new Intl.NumberFormat('pt-BR')

interface ProgressProps {
  loudness: MessageMedia['waveform']
  /** In seconds, as `duration`. */
  time: number
  duration: number
  onSeek: (time: number) => void
}

const Progress = ({ loudness, time, duration, onSeek }: ProgressProps) => (
  <Box
    sx={{
      position: 'relative',
      flex: 1,
      minWidth: 0,
      height: 'var(--target)',
      borderRadius: 'var(--radius-control)',
      // The slider is invisible, and so is its focus ring.
      '&:has(:focus-visible)': { outline: '2px solid var(--info)', outlineOffset: '2px' },
    }}
  >
    <Waveform loudness={loudness} played={duration > 0 ? Math.min(1, time / duration) : 0} />
    <Box
      component="input"
      type="range"
      aria-label="Posição"
      aria-valuetext={`${minutesAndSeconds(Math.floor(time))} de ${minutesAndSeconds(duration)}`}
      min={0}
      max={Math.max(duration, 0.1)}
      step={0.1}
      value={Math.min(time, duration)}
      onChange={(event) => onSeek(Number(event.target.value))}
      sx={{
        position: 'absolute',
        inset: 0,
        width: '100%',
        height: '100%',
        m: 0,
        opacity: 0.01,
        cursor: 'pointer',
      }}
    />
  </Box>
)

export const Sound = ({ message, media, actions }: Props) => {
  const upload = useUpload(message.id)
  const [address] = useState(upload?.address ?? mediaPath(media.id))
  const player = useAtomValue(audioPlayerAtom)
  const playing = useSyncExternalStore(player.subscribe, player.now)
  const mine = playing.id === message.id ? playing : stopped
  const duration = mine.duration ?? media.seconds ?? 0
  const name = kindName(message)
  return (
    <Box sx={{ width: 'min(var(--voice-width), 62cqi)', whiteSpace: 'normal' }}>
      {!media.voice && media.fileName && (
        <Typography component="p" variant="subtitle2">
          <FileName name={media.fileName} />
        </Typography>
      )}
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
        {upload?.cancel ? (
          <UploadProgress message={message} upload={upload} onDiscard={actions.onDiscard} />
        ) : (
          <IconButton
            color="inherit"
            aria-label={mine.isPlaying ? `Pausar ${name.toLowerCase()}` : `Ouvir ${name.toLowerCase()}`}
            onClick={() => player.toggle(message.id, address)}
            sx={{ width: 44, height: 44, flexShrink: 0 }}
          >
            {mine.isPlaying ? <PauseRounded /> : <PlayArrowRounded />}
          </IconButton>
        )}
        <Progress
          loudness={media.waveform}
          time={mine.time}
          duration={duration}
          onSeek={(time) => player.seek(message.id, address, time)}
        />
        <ButtonBase
          aria-label={`Velocidade ${speed.format(playing.rate)}×`}
          onClick={player.nextRate}
          sx={{
            typography: 'caption',
            fontWeight: 600,
            width: 40,
            minHeight: 'var(--target)',
            flexShrink: 0,
            borderRadius: 'var(--radius-control)',
          }}
        >
          {speed.format(playing.rate)}×
        </ButtonBase>
        {!media.voice && (
          <IconButton
            component="a"
            color="inherit"
            href={downloadPath(media.id)}
            download={fileNameOf(message)}
            aria-label={`Baixar ${fileNameOf(message)}`}
          >
            <DownloadRounded />
          </IconButton>
        )}
      </Box>
      <Typography variant="caption" component="p" sx={{ pl: '52px', color: mine.failed ? 'danger' : 'inherit' }}>
        {mine.failed
          ? 'Este navegador não conseguiu tocar o áudio.'
          : minutesAndSeconds(mine.time > 0 ? Math.floor(mine.time) : duration)}
      </Typography>
    </Box>
  )
}
