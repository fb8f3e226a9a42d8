import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useEffect, useRef, useState } from 'react'
import { CodeBlock } from '../../../components/code-block.tsx'
import { Notice } from '../../../components/notices/notice.tsx'
import { count, dayAndTime } from '../../../lib/format/format.ts'
import { sentenceOf } from '../../../lib/http/http.ts'
import { serverNow } from '../../../lib/http/server-clock.ts'
import { cutShort, isAborted, linesOf, openStream, type Row } from '../read-stream.ts'
import { useSessionCheck } from '../use-session-check.ts'

const lookBackMs = 24 * 60 * 60 * 1000

interface Followed {
  seen: number
  last: Row | null
  error: unknown
}

const nothing: Followed = { seen: 0, last: null, error: null }

/** The latest event of a type in the last 24 h, and each that follows. */
const useFollowing = (type: string, isOn: boolean): Followed => {
  const [followed, setFollowed] = useState(nothing)
  const checkSession = useRef(useSessionCheck())
  useEffect(() => {
    if (!isOn) return
    const following = new AbortController()
    const follow = async () => {
      const since = new Date((serverNow() ?? Date.now()) - lookBackMs).toISOString()
      const query = new URLSearchParams({ type, since, live: 'true' })
      const { body } = await openStream(`/api/streams/events?${query}`, following.signal)
      for await (const line of linesOf(body)) {
        const last = JSON.parse(line) as Row
        setFollowed(({ seen }) => ({ seen: seen + 1, last, error: null }))
      }
      throw cutShort()
    }
    follow().catch((error: unknown) => {
      if (following.signal.aborted || isAborted(error)) return
      checkSession.current(error)
      setFollowed((before) => ({ ...before, error }))
    })
    return () => {
      following.abort()
      setFollowed(nothing)
    }
  }, [type, isOn])
  return followed
}

export const LiveExample = ({ type }: { type: string }) => {
  const [isOn, setOn] = useState(false)
  const { seen, last, error } = useFollowing(type, isOn)
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Button variant="outlined" color="inherit" onClick={() => setOn(!isOn)} sx={{ justifySelf: 'start' }}>
        {isOn ? 'Parar de acompanhar' : 'Acompanhar ao vivo'}
      </Button>
      {isOn && (
        <Box aria-live="polite" sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          {error !== null && (
            <Notice kind="error">
              {sentenceOf(error, 'Não foi possível acompanhar. Tente de novo em instantes.')}
            </Notice>
          )}
          {last === null ? (
            error === null && (
              <Typography sx={{ color: 'text.secondary' }}>
                Nenhum nas últimas 24 horas. O próximo aparece aqui assim que acontecer.
              </Typography>
            )
          ) : (
            <>
              <Typography variant="caption" sx={{ color: 'text.secondary' }}>
                O último, de {dayAndTime(String(last.time), serverNow() ?? Date.now())}; {count(seen)} desde ontem a
                esta hora.
              </Typography>
              <CodeBlock aria-label="O último evento">{JSON.stringify(last, null, 2)}</CodeBlock>
            </>
          )}
        </Box>
      )}
    </Box>
  )
}
