import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Typography from '@mui/material/Typography'
import type { FlowStatus } from '@prosa/contracts/http/flows'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import RedoIcon from '~icons/ic/outline-redo'
import UndoIcon from '~icons/ic/outline-undo'
import BackIcon from '~icons/ic/round-arrow-back'
import MoreIcon from '~icons/ic/round-more-vert'
import { ChoiceGroup } from '../../components/forms/choice-group.tsx'
import { KeyHint } from '../../components/key-hint.tsx'
import { ScreenReaderText } from '../../components/screen-reader-text.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { flowStatuses } from '../../lib/account/flows.ts'
import { clockTime, plural } from '../../lib/format/format.ts'
import { paths } from '../../lib/paths.ts'
import type { Saving } from './state/draft-saver.ts'
import { useIsNarrow } from './use-is-narrow.ts'

const savingWords = (saving: Saving): string => {
  switch (saving.kind) {
    case 'saved':
      return `Salvo às ${clockTime(saving.at)}`
    case 'changed':
    case 'saving':
      return 'Salvando…'
    case 'local':
      return 'Sem conexão. Suas mudanças estão guardadas neste navegador e vão assim que ela voltar.'
    case 'conflict':
      return 'Mudado em outra janela'
    case 'refused':
      return saving.sentence
  }
}

export type EditorView = 'drawing' | 'list'

const views = [
  { value: 'drawing', label: 'Desenho' },
  { value: 'list', label: 'Lista' },
] as const

interface Props {
  flowId: string
  name: string
  status: FlowStatus
  isChanged: boolean
  saving: Saving
  errors: number
  warnings: number
  view: EditorView
  canUndo: boolean
  canRedo: boolean
  isTesting: boolean
  isPublishing: boolean
  onUndo: () => void
  onRedo: () => void
  onView: (view: EditorView) => void
  onProblems: () => void
  onTest: () => void
  onSave: () => void
  onPublish: () => void
}

const Facts = ({ flowId, name, status, isChanged, saving }: Props) => (
  <Box sx={{ flex: 1, minWidth: 0 }}>
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 3 }}>
      <Typography variant="h2" component="h1">
        Editor de Fluxo
      </Typography>
      <Typography variant="caption" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        Fluxo ID: {flowId}
      </Typography>
    </Box>
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 3 }}>
      <Typography component="span" variant="subtitle2" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        {name}
      </Typography>
      <StatusBadge {...flowStatuses[status]} />
      {isChanged && status !== 'draft' && (
        <Typography variant="caption" component="span" sx={{ color: 'text.secondary' }}>
          Com mudanças não publicadas
        </Typography>
      )}
      <Typography
        role="status"
        variant="caption"
        component="span"
        sx={{ color: saving.kind === 'refused' ? 'danger' : 'text.secondary' }}
      >
        {savingWords(saving)}
      </Typography>
    </Box>
  </Box>
)

const problemWords = ({ errors, warnings }: Pick<Props, 'errors' | 'warnings'>): string =>
  [
    ...(errors > 0 ? [plural(errors, 'erro', 'erros')] : []),
    ...(warnings > 0 ? [plural(warnings, 'aviso', 'avisos')] : []),
  ].join(', ')

const PublishButton = ({ isPublishing, onPublish }: Pick<Props, 'isPublishing' | 'onPublish'>) => (
  <KeyHint title="Publicar" keys={['Ctrl', 'Enter']}>
    <Button variant="contained" disabled={isPublishing} onClick={onPublish} sx={{ flex: 'none' }}>
      {isPublishing ? 'Publicando…' : 'Publicar'}
    </Button>
  </KeyHint>
)

/** What a phone's header has no room for. */
const MoreMenu = (props: Props) => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const problems = problemWords(props)
  const items = [
    ...(problems === '' ? [] : [{ label: `Ver ${problems}`, act: props.onProblems, isOff: false }]),
    { label: 'Desfazer', act: props.onUndo, isOff: !props.canUndo },
    { label: 'Refazer', act: props.onRedo, isOff: !props.canRedo },
    ...views
      .filter(({ value }) => value !== props.view)
      .map(({ value, label }) => ({
        label: `Ver como ${label.toLowerCase()}`,
        act: () => props.onView(value),
        isOff: false,
      })),
    { label: props.isTesting ? 'Parar de testar' : 'Testar', act: props.onTest, isOff: false },
    { label: 'Salvar', act: props.onSave, isOff: false },
  ]
  return (
    <>
      <IconButton
        aria-label={problems === '' ? 'Mais ações' : `Mais ações, ${problems}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        color={props.errors > 0 ? 'error' : 'secondary'}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        <MoreIcon />
      </IconButton>
      {anchor && (
        <Menu open anchorEl={anchor} onClose={() => setAnchor(null)}>
          {items.map(({ label, act, isOff }) => (
            <MenuItem
              key={label}
              disabled={isOff}
              onClick={() => {
                setAnchor(null)
                act()
              }}
            >
              {label}
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  )
}

/** In one row of 64 px at most. */
const NarrowHeader = (props: Props) => (
  <Box
    component="header"
    sx={{
      display: 'flex',
      flex: 'none',
      alignItems: 'center',
      gap: 1,
      height: 64,
      px: 1,
      borderBottom: '1px solid',
      borderColor: 'divider',
    }}
  >
    <IconButton component={Link} to={paths.conversationFlows} aria-label="Voltar" color="secondary">
      <BackIcon />
    </IconButton>
    <Box sx={{ flex: 1, minWidth: 0 }}>
      <ScreenReaderText as="h1">Editor de Fluxo</ScreenReaderText>
      <Typography variant="subtitle2" component="p" noWrap>
        {props.name}
      </Typography>
      <Typography
        role="status"
        variant="caption"
        component="p"
        noWrap
        title={savingWords(props.saving)}
        sx={{ color: props.saving.kind === 'refused' ? 'danger' : 'text.secondary' }}
      >
        {flowStatuses[props.status].label} · {savingWords(props.saving)}
      </Typography>
    </Box>
    <MoreMenu {...props} />
    <PublishButton {...props} />
  </Box>
)

const WideHeader = (props: Props) => {
  const { errors } = props
  const problems = problemWords(props)
  return (
    <Box
      component="header"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        flex: 'none',
        alignItems: 'center',
        gap: 2,
        px: { xs: 2, md: 4 },
        py: 2,
        borderBottom: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Button component={Link} to={paths.conversationFlows} color="inherit" startIcon={<BackIcon />}>
        Voltar
      </Button>
      <Facts {...props} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
        {problems !== '' && (
          <Button color={errors > 0 ? 'error' : 'warning'} onClick={props.onProblems}>
            {problems}
          </Button>
        )}
        <Box sx={{ display: 'flex' }}>
          <KeyHint title="Desfazer" keys={['Ctrl', 'Z']}>
            <IconButton aria-label="Desfazer" color="secondary" disabled={!props.canUndo} onClick={props.onUndo}>
              <UndoIcon />
            </IconButton>
          </KeyHint>
          <KeyHint title="Refazer" keys={['Ctrl', 'Shift', 'Z']}>
            <IconButton aria-label="Refazer" color="secondary" disabled={!props.canRedo} onClick={props.onRedo}>
              <RedoIcon />
            </IconButton>
          </KeyHint>
        </Box>
        <ChoiceGroup label="Como mostrar o fluxo" choices={views} value={props.view} onChange={props.onView} />
        <KeyHint title="Testar" keys={['T']}>
          <Button color="inherit" variant="outlined" aria-pressed={props.isTesting} onClick={props.onTest}>
            Testar
          </Button>
        </KeyHint>
        <KeyHint title="Salvar" keys={['Ctrl', 'S']}>
          <Button color="inherit" variant="outlined" onClick={props.onSave}>
            Salvar
          </Button>
        </KeyHint>
        <PublishButton {...props} />
      </Box>
    </Box>
  )
}

export const EditorHeader = (props: Props) => (useIsNarrow() ? <NarrowHeader {...props} /> : <WideHeader {...props} />)
