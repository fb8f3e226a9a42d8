import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { ContactCounts, Queue } from '@prosa/contracts/http/live-chat'
import { useState } from 'react'
import RobotIcon from '~icons/ic/round-smart-toy'
import { KeyHint } from '../../../components/key-hint.tsx'
import { plural } from '../../../lib/format/format.ts'

interface Props {
  queue: 'waiting' | 'bot'
  counts: ContactCounts | undefined
  onQueue: (queue: Queue) => void
}

/** Who asked for a person, and who is with the robot. Once shown it stays: nothing below moves. */
export const QueueBar = ({ queue, counts, onQueue }: Props) => {
  const { asked = 0, bot = 0 } = counts ?? {}
  const isWithBot = queue === 'bot'
  const isNeeded = asked > 0 || bot > 0 || isWithBot
  const [wasNeeded, setNeeded] = useState(isNeeded)
  if (isNeeded && !wasNeeded) setNeeded(true)
  if (!wasNeeded && !isNeeded) return null
  return (
    <Box
      role="group"
      aria-label="Quem fala com o cliente"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        minHeight: 44,
        pl: 4,
        pr: 2,
        flexShrink: 0,
        borderBottom: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Box
        component="span"
        role="status"
        sx={{ flex: 1, minWidth: 0, typography: 'caption', fontWeight: 600, color: 'accent' }}
      >
        {asked > 0 && plural(asked, 'pediu uma pessoa', 'pediram uma pessoa')}
      </Box>
      <KeyHint title={isWithBot ? 'Voltar a quem aguarda' : 'Só com o robô'} keys={['4']}>
        <Button
          size="small"
          color="secondary"
          variant={isWithBot ? 'contained' : 'text'}
          aria-pressed={isWithBot}
          startIcon={<RobotIcon aria-hidden="true" />}
          onClick={() => onQueue(isWithBot ? 'waiting' : 'bot')}
        >
          {`Com o robô${bot > 0 ? ` (${bot})` : ''}`}
        </Button>
      </KeyHint>
    </Box>
  )
}
