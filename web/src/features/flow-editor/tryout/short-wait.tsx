import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { delaySecondsOf } from '@prosa/contracts/flows/check-flow'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowTestResult } from '@prosa/contracts/http/flow-runs'
import { useEffect, useRef, useState } from 'react'
import SkipIcon from '~icons/ic/round-fast-forward'
import { plural } from '../../../lib/format/format.ts'

/** A longer delay waits until it is skipped. */
const maxSeconds = 60

/** Of a delay of the draft where the test stands; null if it is longer, or no delay. */
export const shortWaitSeconds = (document: FlowDocument, current: FlowTestResult['standing']): number | null => {
  if (current?.waitsFor !== 'time') return null
  const node = document.nodes.find(({ id }) => id === current.nodeId)
  const seconds = node?.type === 'delay' ? delaySecondsOf(node.data.delay) : undefined
  return seconds !== undefined && seconds <= maxSeconds ? seconds : null
}

interface Props {
  seconds: number
  /** Time passes once the messages before are shown. */
  isPaused: boolean
  onOver: () => void
  onSkip: () => void
}

export const ShortWait = ({ seconds, isPaused, onOver, onSkip }: Props) => {
  const [left, setLeft] = useState(seconds)
  const over = useRef(onOver)
  useEffect(() => {
    over.current = onOver
  })
  useEffect(() => {
    if (isPaused) return
    const timer = setTimeout(() => (left <= 1 ? over.current() : setLeft(left - 1)), 1000)
    return () => clearTimeout(timer)
  }, [left, isPaused])
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        px: 4,
        py: 1,
        borderTop: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Typography variant="caption" component="p" sx={{ flex: 1, minWidth: 0, color: 'text.secondary' }}>
        Continua em {plural(left, 'segundo', 'segundos')}
      </Typography>
      <Button size="small" startIcon={<SkipIcon />} onClick={onSkip}>
        Pular espera
      </Button>
    </Box>
  )
}
