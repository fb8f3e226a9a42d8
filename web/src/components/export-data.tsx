import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { useRef, useState } from 'react'
import DownloadIcon from '~icons/ic/round-download'
import { downloadExport, type ExportTarget } from '../lib/http/data-export.ts'
import { sentenceOf } from '../lib/http/http.ts'
import { useCommand } from '../lib/http/use-command.ts'

const megabytes = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

const arrived = (bytes: number): string =>
  bytes === 0 ? 'Preparando a cópia...' : `${megabytes.format(bytes / 1024 / 1024)} MB recebidos...`

const notDownloaded = 'Não foi possível baixar a cópia. Tente de novo.'

interface Props {
  label: string
  target: ExportTarget
  /** Where it is once it was saved. */
  ready?: string
}

/** Continues after the page is left; a toast reports the end. */
export const ExportData = ({ label, target, ready = 'O arquivo ZIP está nos seus downloads.' }: Props) => {
  const [bytes, setBytes] = useState(0)
  const running = useRef<AbortController>(null)
  const exporting = useCommand({
    run: () => {
      running.current = new AbortController()
      setBytes(0)
      return downloadExport(target, { signal: running.current.signal, onProgress: setBytes })
    },
    done: (outcome) => (outcome === 'saved' ? { title: 'Cópia pronta', description: ready } : null),
    failed: (error) => ({ title: 'A cópia não foi baixada', description: sentenceOf(error, notDownloaded) }),
  })
  return (
    <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start', minWidth: 0 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        <Button
          variant="outlined"
          startIcon={<DownloadIcon />}
          disabled={exporting.isPending}
          onClick={() => exporting.mutate()}
        >
          {exporting.isPending ? 'Exportando...' : label}
        </Button>
        {exporting.isPending && (
          <Button color="inherit" onClick={() => running.current?.abort()}>
            Cancelar
          </Button>
        )}
      </Box>
      {exporting.isPending && (
        <Box sx={{ width: '100%', maxWidth: 'var(--form-width)' }}>
          <LinearProgress aria-label="Baixando a cópia" sx={{ mb: 1 }} />
          <Typography variant="caption" role="status" sx={{ color: 'text.secondary' }}>
            {arrived(bytes)}
          </Typography>
        </Box>
      )}
      {exporting.isError && (
        <Typography role="alert" sx={{ color: 'danger' }}>
          {sentenceOf(exporting.error, notDownloaded)}
        </Typography>
      )}
    </Box>
  )
}
