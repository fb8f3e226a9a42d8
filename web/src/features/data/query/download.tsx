import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { useEffect, useRef, useState } from 'react'
import DownloadIcon from '~icons/ic/round-download'
import { panelStyle } from '../../../components/layout/panel.tsx'
import { Notice } from '../../../components/notices/notice.tsx'
import { count, plainDate } from '../../../lib/format/format.ts'
import { sentenceOf } from '../../../lib/http/http.ts'
import { downloadFile, type Progress } from '../download-file.ts'
import { boundsOf, fileNameOf, pathOf, type Question } from '../question.ts'
import { isAborted } from '../read-stream.ts'
import { useSessionCheck } from '../use-session-check.ts'

type State =
  | { is: 'idle' }
  | { is: 'loading'; progress: Progress | null }
  | { is: 'done'; progress: Progress }
  | { is: 'cancelled' }
  | { is: 'failed'; error: unknown }

const megabytes = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })
const sizeOf = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${megabytes.format(bytes / 1000)} kB` : `${megabytes.format(bytes / 1_000_000)} MB`
}

const wordsOf = ({ bytes, rows, reached }: Progress): string =>
  [
    ...(rows === null ? [] : [`${count(rows)} ${rows === 1 ? 'linha' : 'linhas'}`]),
    sizeOf(bytes),
    ...(reached === null ? [] : [`até ${plainDate(reached)}`]),
  ].join(', ')

/** 0 to 100 by the time of the last event; undefined where the beginning of the period is not known. */
const shareOf = (question: Question, progress: Progress | null): number | undefined => {
  const { since, until } = boundsOf(question)
  if (since === undefined || !progress?.reached) return undefined
  const [from, to] = [Date.parse(since), Math.min(until === undefined ? Date.now() : Date.parse(until), Date.now())]
  if (to <= from) return undefined
  return Math.max(0, Math.min(100, (100 * (Date.parse(progress.reached) - from)) / (to - from)))
}

const useDownloadOf = (question: Question) => {
  const [state, setState] = useState<State>({ is: 'idle' })
  const loading = useRef<AbortController>(undefined)
  const checkSession = useSessionCheck()
  useEffect(() => () => loading.current?.abort(), [])
  const start = async () => {
    const controller = new AbortController()
    loading.current = controller
    const { signal } = controller
    setState({ is: 'loading', progress: null })
    let shownAt = 0
    const onProgress = (progress: Progress) => {
      if (signal.aborted || performance.now() - shownAt < 100) return
      shownAt = performance.now()
      setState({ is: 'loading', progress })
    }
    try {
      const progress = await downloadFile({
        ...{ path: pathOf(question), name: fileNameOf(question), format: question.format, signal, onProgress },
      })
      if (!signal.aborted) setState({ is: 'done', progress })
    } catch (error) {
      if (signal.aborted || isAborted(error)) return
      checkSession(error)
      setState({ is: 'failed', error })
    }
  }
  const cancel = () => {
    loading.current?.abort()
    setState({ is: 'cancelled' })
  }
  return { state, start: () => void start(), cancel }
}

const Outcome = ({ state }: { state: State }) => {
  if (state.is === 'done')
    return state.progress.bytes === 0 || state.progress.rows === 0 ? (
      <Notice kind="info">Nada aconteceu que caiba nesta consulta: o arquivo está vazio.</Notice>
    ) : (
      <Notice kind="success">Pronto, nos seus downloads: {wordsOf(state.progress)}.</Notice>
    )
  if (state.is === 'cancelled') return <Notice kind="info">Cancelado. Nada ficou no navegador.</Notice>
  if (state.is === 'failed')
    return (
      <Notice kind="error">{sentenceOf(state.error, 'O arquivo não foi baixado. Tente de novo em instantes.')}</Notice>
    )
  return null
}

/** A change of the question begins anew, and ends what was under way. */
export const Download = ({ question, fault }: { question: Question; fault: string | null }) => {
  const { state, start, cancel } = useDownloadOf(question)
  const progress = state.is === 'loading' ? state.progress : null
  const share = shareOf(question, progress)
  return (
    <Box
      component="section"
      aria-label="Baixar"
      sx={{ ...panelStyle, display: 'grid', gap: 3, p: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
        <Box sx={{ flex: 1, minWidth: 'var(--card-width)' }}>
          <Typography variant="subtitle1" component="p" sx={{ overflowWrap: 'anywhere' }}>
            {fileNameOf(question)}
          </Typography>
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            {fault ?? 'Cada leitura fica no histórico da conta. Um pedido diferente cancela o que está baixando.'}
          </Typography>
        </Box>
        {state.is === 'loading' ? (
          <Button variant="outlined" color="inherit" onClick={cancel}>
            Cancelar
          </Button>
        ) : (
          <Button variant="contained" startIcon={<DownloadIcon />} disabled={fault !== null} onClick={start}>
            Baixar
          </Button>
        )}
      </Box>
      {state.is === 'loading' && (
        <Box sx={{ display: 'grid', gap: 1 }}>
          <LinearProgress
            aria-label="Quanto já veio"
            {...(share === undefined ? {} : { variant: 'determinate', value: share })}
          />
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            {progress === null ? 'Esperando os primeiros dados...' : wordsOf(progress)}
          </Typography>
        </Box>
      )}
      <Box aria-live="polite" sx={{ '&:empty': { mt: -3 } }}>
        <Outcome state={state} />
      </Box>
    </Box>
  )
}
