import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ButtonBase from '@mui/material/ButtonBase'
import Popover from '@mui/material/Popover'
import Typography from '@mui/material/Typography'
import type { PastRecordKind } from '@prosa/contracts/http/past/moments'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { call } from '../../../lib/http/call.ts'
import { sentenceOf } from '../../../lib/http/http.ts'

interface Asked {
  em: string
  kind: PastRecordKind
  id: string
  name: string
}

const Values = ({ em, kind, id }: Asked) => {
  const { data, error } = useQuery({
    // Erasures alone change it.
    queryKey: ['record-then', kind, id, em],
    queryFn: ({ signal }) => call('GET /api/records/:kind/:id', { params: { kind, id }, query: { em }, signal }),
    staleTime: 60_000,
    retry: false,
  })
  if (error)
    return <Typography role="alert">{sentenceOf(error, 'O histórico não respondeu. Tente de novo.')}</Typography>
  if (!data) return <Typography role="status">Carregando...</Typography>
  if (data.values.length === 0) return <Typography>Ainda não existia.</Typography>
  return (
    <Box component="dl" sx={{ m: 0 }}>
      {data.values.map(({ label, value }) => (
        <Box key={label} sx={{ mb: 2 }}>
          <Typography component="dt" variant="caption" sx={{ color: 'text.secondary' }}>
            {label}
          </Typography>
          <Typography component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
            {value}
          </Typography>
        </Box>
      ))}
    </Box>
  )
}

/** Values of a connection or a flow right after an entry of its history. */
export const RecordThenButton = (asked: Asked) => {
  const titleId = useId()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const close = () => setAnchor(null)
  return (
    <>
      <ButtonBase
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ font: 'inherit', color: 'primary.main', textDecoration: 'underline' }}
      >
        Ver como era
      </ButtonBase>
      {anchor && (
        <Popover
          open
          anchorEl={anchor}
          onClose={close}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
          slotProps={{
            paper: {
              role: 'dialog',
              'aria-labelledby': titleId,
              sx: { p: 4, width: 'min(calc(100% - 32px), 24rem)', maxHeight: 'min(80vh, 36rem)' },
            },
          }}
        >
          <Typography variant="h3" id={titleId} sx={{ mb: 3, overflowWrap: 'anywhere' }}>
            Como era: {asked.name}
          </Typography>
          <Values {...asked} />
          <Box sx={{ display: 'flex', justifyContent: 'end' }}>
            <Button autoFocus onClick={close}>
              Fechar
            </Button>
          </Box>
        </Popover>
      )}
    </>
  )
}
