import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { Connection } from '@prosa/contracts/http/connections'
import { useQuery } from '@tanstack/react-query'
import { useSetAtom } from 'jotai'
import { useLayoutEffect, useRef } from 'react'
import { connectionsQuery, isConnected } from '../../../lib/account/connections.ts'
import { choosingLineAtom } from '../atoms.ts'

interface Props {
  contactId: string
  connection: Connection
  onFocusLost: () => void
}

export const LineAway = ({ contactId, connection, onFocusLost }: Props) => {
  const { data: connections = [] } = useQuery(connectionsQuery)
  const choose = useSetAtom(choosingLineAtom)
  const button = useRef<HTMLButtonElement>(null)
  const latest = useRef(onFocusLost)
  latest.current = onFocusLost
  useLayoutEffect(
    () => () => {
      // After React's commit: until then the box may have no ref.
      if (document.activeElement === button.current) queueMicrotask(() => latest.current())
    },
    [],
  )
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, pt: 1 }}>
      <Typography
        role="status"
        variant="caption"
        component="p"
        sx={{ flex: '1 1 16rem', color: 'warn', overflowWrap: 'anywhere' }}
      >
        {`${connection.name} está desconectado. A mensagem espera e sai quando ele voltar.`}
      </Typography>
      {connections.some(isConnected) && (
        <Button ref={button} size="small" onClick={() => choose(contactId)} sx={{ flexShrink: 0, px: 1, mx: -1 }}>
          Responder por outro número
        </Button>
      )}
    </Box>
  )
}
