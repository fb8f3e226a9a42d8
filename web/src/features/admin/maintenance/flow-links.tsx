import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { FlowLinkShown } from '@prosa/contracts/http/flow-links'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { Link } from 'react-router-dom'
import { Field } from '../../../components/forms/field.tsx'
import { keyOf } from '../../../components/history/record-words.ts'
import { panelStyle } from '../../../components/layout/panel.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { sentenceOf } from '../../../lib/http/http.ts'
import { adminTab } from '../../../lib/paths.ts'
import { AdminSection } from '../admin-section.tsx'
import { useHistoryDrawer } from '../history/use-history-drawer.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'
import { flowLinkQuery, useBlockLink, useUnblockLink } from './api.ts'

/** Accepts 'https://…/r/0f1e2d3c4b5a69788796' or its last segment. */
const tokenIn = (text: string): string | undefined => {
  const end = text.trim().split('/r/').at(-1)?.split(/[?#]/, 1)[0]
  return end !== undefined && /^[\w-]{16,64}$/.test(end) ? end : undefined
}

const BlockDialog = ({ link, onClose }: { link: FlowLinkShown; onClose: () => void }) => {
  const block = useBlockLink(link.token)
  const unblock = useUnblockLink(link.token)
  const decide = link.isBlocked ? unblock : block
  return (
    <ReasonDialog
      title={link.isBlocked ? 'Desbloquear este link?' : 'Bloquear este link?'}
      sentence={
        link.isBlocked
          ? `Quem o abrir chega de novo a ${link.url}.`
          : 'Quem o abrir vê uma página que diz que ele foi bloqueado. Os outros links do fluxo continuam.'
      }
      confirm={link.isBlocked ? 'Desbloquear' : 'Bloquear'}
      destructive={!link.isBlocked}
      needsReason
      command={decide}
      onClose={onClose}
    />
  )
}

const Fact = ({ term, children }: { term: string; children: ReactNode }) => (
  <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', md: '96px minmax(0, 1fr)' }, columnGap: 4 }}>
    <Typography component="dt" sx={{ color: 'text.secondary' }}>
      {term}
    </Typography>
    <Box component="dd" sx={{ m: 0, minWidth: 0, overflowWrap: 'anywhere' }}>
      {children}
    </Box>
  </Box>
)

const State = ({ isBlocked, isEnded }: FlowLinkShown) => {
  if (isEnded) return <StatusBadge tone="info" label="Terminou com o fluxo" />
  return isBlocked ? <StatusBadge tone="bad" label="Bloqueado" /> : <StatusBadge tone="good" label="Aberto" />
}

const FoundLink = ({ link }: { link: FlowLinkShown }) => {
  const [isAsking, setAsking] = useState(false)
  const { historyAction, historyDrawer } = useHistoryDrawer()
  const history = historyAction({ kind: 'flow', id: link.flowId, name: 'Fluxo do link' })
  return (
    <Box sx={{ ...panelStyle, p: 4, display: 'grid', gap: 4 }}>
      <Box component="dl" sx={{ m: 0, display: 'grid', gap: 2 }}>
        <Fact term="Leva a">{link.url}</Fact>
        <Fact term="Situação">
          <State {...link} />
        </Fact>
        <Fact term="Conta">
          <Link to={adminTab('historico', { registro: keyOf({ kind: 'user', id: link.userId }) })}>
            {link.userId.slice(0, 8)}
          </Link>
        </Fact>
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {!link.isEnded && (
          <Button
            variant={link.isBlocked ? 'outlined' : 'contained'}
            color={link.isBlocked ? 'inherit' : 'error'}
            onClick={() => setAsking(true)}
          >
            {link.isBlocked ? 'Desbloquear' : 'Bloquear'}
          </Button>
        )}
        <Button color="inherit" startIcon={history.icon} onClick={history.onPress}>
          {history.label}
        </Button>
      </Box>
      {historyDrawer}
      {isAsking && <BlockDialog link={link} onClose={() => setAsking(false)} />}
    </Box>
  )
}

const LookedUp = ({ token }: { token: string }) => {
  const { data, error } = useQuery(flowLinkQuery(token))
  if (data) return <FoundLink link={data} />
  if (error) return <Typography role="alert">{sentenceOf(error, 'O link não pôde ser procurado.')}</Typography>
  return <Spinner />
}

export const FlowLinksSection = () => {
  const [text, setText] = useState('')
  const [asked, setAsked] = useState<{ token: string | undefined } | null>(null)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setAsked({ token: tokenIn(text) })
  }
  return (
    <AdminSection
      title="Links de fluxos"
      sentence="Alguém reclamou de um link que recebeu? Veja aonde ele leva e, se for preciso, bloqueie."
    >
      <Box
        component="form"
        noValidate
        onSubmit={submit}
        sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: 2 }}
      >
        <Box sx={{ flex: '1 1 280px', maxWidth: 'var(--form-width)' }}>
          <Field
            label="Endereço do link"
            autoComplete="off"
            inputMode="url"
            placeholder="https://…/r/…"
            maxLength={300}
            value={text}
            error={asked && !asked.token ? 'Cole o endereço inteiro, com o que vem depois de /r/.' : undefined}
            onChange={(next) => {
              setText(next)
              setAsked(null)
            }}
          />
        </Box>
        <Button
          type="submit"
          variant="outlined"
          color="inherit"
          sx={{ mt: { xs: 0, md: 6 }, minHeight: 'var(--field-height)' }}
          disabled={text.trim() === ''}
        >
          Procurar
        </Button>
      </Box>
      {asked?.token && <LookedUp key={asked.token} token={asked.token} />}
    </AdminSection>
  )
}
