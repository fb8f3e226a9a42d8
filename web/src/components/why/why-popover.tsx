import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Popover from '@mui/material/Popover'
import Typography from '@mui/material/Typography'
import type { WhyAnswer } from '@prosa/contracts/http/history'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router-dom'
import { wholeTime } from '../../lib/format/whole-time.ts'
import { sentenceOf } from '../../lib/http/http.ts'
import { adminTab } from '../../lib/paths.ts'
import { useWhyAnswer } from './use-why-answer.ts'
import type { WhyTarget } from './why-target.ts'

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <Typography component="dt" variant="caption" sx={{ color: 'text.secondary' }}>
      {name}
    </Typography>
    <Typography component="dd" sx={{ m: 0, mb: 2, overflowWrap: 'anywhere' }}>
      {children}
    </Typography>
  </>
)

const Answer = ({ answer, titleId }: { answer: WhyAnswer; titleId: string }) => {
  const { label, before, after, entry, causes } = answer
  return (
    <>
      <Typography variant="h3" id={titleId} sx={{ mb: 3, overflowWrap: 'anywhere' }}>
        {label}: {after}
      </Typography>
      <Box component="dl" sx={{ m: 0 }}>
        <Fact name="O que aconteceu">{entry.text}</Fact>
        <Fact name="Quem">{entry.actor.name}</Fact>
        <Fact name="Quando">
          <time dateTime={entry.at}>{wholeTime(entry.at)}</time>
        </Fact>
        <Fact name="Por causa de">
          {causes.map(({ text, at }) => (
            <Box component="span" key={text} sx={{ display: 'block' }}>
              {text}
              {at !== null && ` (${wholeTime(at)})`}
            </Box>
          ))}
        </Fact>
        <Fact name="Regra">{entry.rule ?? 'nenhuma: foi a decisão de quem fez'}</Fact>
        {entry.reason !== null && <Fact name="Motivo">{entry.reason}</Fact>}
        <Fact name="Antes">{before ?? 'não havia valor'}</Fact>
        <Fact name="Depois">{after}</Fact>
      </Box>
    </>
  )
}

type Props = {
  of: WhyTarget
  asAdmin: boolean
  anchor: HTMLElement
  onClose: () => void
}

export const WhyPopover = ({ of, asAdmin, anchor, onClose }: Props) => {
  const titleId = useId()
  const { data, error, refetch } = useWhyAnswer(of, asAdmin)
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      onClick={(event) => event.stopPropagation()}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-labelledby': titleId,
          sx: { p: 4, width: 'min(calc(100% - 32px), 26rem)', maxHeight: 'min(80vh, 36rem)' },
        },
      }}
    >
      {data ? (
        <Answer answer={data} titleId={titleId} />
      ) : (
        <Typography id={titleId} role={error ? 'alert' : 'status'} sx={{ mb: 3 }}>
          {error ? sentenceOf(error, 'O histórico não respondeu. Tente de novo em instantes.') : 'Carregando...'}
        </Typography>
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'end', gap: 2 }}>
        {error && <Button onClick={() => void refetch()}>Tentar de novo</Button>}
        {asAdmin && data && (
          <Button
            component={Link}
            to={adminTab('historico', { busca: data.entry.id })}
            onClick={onClose}
            color="inherit"
          >
            Abrir no histórico
          </Button>
        )}
        <Button autoFocus onClick={onClose}>
          Fechar
        </Button>
      </Box>
    </Popover>
  )
}
