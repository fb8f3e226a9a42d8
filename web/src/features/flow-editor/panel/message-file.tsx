import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import LinearProgress from '@mui/material/LinearProgress'
import type { FlowNodeOf } from '@prosa/contracts/flows/flow-document'
import { mediaLimits } from '@prosa/contracts/values/media-limits'
import { useEffect, useRef, useState } from 'react'
import CloseIcon from '~icons/ic/round-close'
import { sentenceOf } from '../../../lib/http/http.ts'
import { uploadFile } from '../../../lib/http/upload.ts'

type NodeFile = NonNullable<FlowNodeOf<'message'>['data']['file']>

const shownKinds = ['image', 'video', 'audio'] as const
const megabyte = 1024 * 1024

/** Sent as a document unless WhatsApp displays its type and size. */
const kindOf = (mediaType: string, bytes: number): NodeFile['kind'] =>
  shownKinds.find(
    (kind) => mediaLimits[kind].types.some((type) => type === mediaType) && bytes <= mediaLimits[kind].bytes,
  ) ?? 'document'

const refusalOf = (file: File): string | null => {
  if (file.size === 0) return 'O arquivo está vazio.'
  const { bytes } = mediaLimits.document
  return file.size > bytes ? `O limite do WhatsApp é ${bytes / megabyte} MB.` : null
}

const kindNames = { image: 'Imagem', video: 'Vídeo', audio: 'Áudio', document: 'Documento' } as const

interface Props {
  file: NodeFile | null
  onChange: (file: NodeFile | null) => void
}

export const MessageFile = ({ file, onChange }: Props) => {
  const input = useRef<HTMLInputElement>(null)
  const uploading = useRef<AbortController | null>(null)
  const [share, setShare] = useState<number | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  // Opening another node aborts the upload: its result would have no target.
  useEffect(() => () => uploading.current?.abort(), [])

  const upload = async (chosen: File) => {
    const refused = refusalOf(chosen)
    setRefusal(refused)
    if (refused !== null) return
    const giveUp = new AbortController()
    uploading.current = giveUp
    setShare(0)
    try {
      const { id, mediaType, bytes } = await uploadFile(chosen, { onProgress: setShare, signal: giveUp.signal })
      const kind = kindOf(mediaType, bytes)
      onChange({ kind, fileName: chosen.name.slice(-255), file: { id, mediaType, bytes, source: null } })
    } catch (error) {
      if (!giveUp.signal.aborted) setRefusal(sentenceOf(error, 'O arquivo não pôde ser enviado. Tente de novo.'))
    } finally {
      setShare(null)
    }
  }

  return (
    <Box sx={{ display: 'grid', gap: 1, justifyItems: 'start' }}>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Arquivo"
        onChange={(event) => {
          const [chosen] = event.target.files ?? []
          event.target.value = ''
          if (chosen) void upload(chosen)
        }}
      />
      {file && (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, width: '100%' }}>
          <Box component="span" sx={{ color: 'text.secondary', typography: 'caption' }}>
            {kindNames[file.kind]}
          </Box>
          <Box component="span" dir="auto" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
            {file.fileName}
          </Box>
          <IconButton aria-label="Tirar o arquivo" color="secondary" onClick={() => onChange(null)}>
            <CloseIcon />
          </IconButton>
        </Box>
      )}
      {share === null ? (
        <Button variant="outlined" onClick={() => input.current?.click()}>
          {file ? 'Trocar o arquivo' : 'Anexar arquivo'}
        </Button>
      ) : (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, width: '100%' }}>
          <LinearProgress
            aria-label="Enviando o arquivo"
            variant="determinate"
            value={share * 100}
            sx={{ flex: 1, minWidth: 0 }}
          />
          <Button size="small" color="inherit" onClick={() => uploading.current?.abort()}>
            Cancelar
          </Button>
        </Box>
      )}
      <Box role="alert" sx={{ typography: 'caption', color: 'danger' }}>
        {refusal}
      </Box>
    </Box>
  )
}
