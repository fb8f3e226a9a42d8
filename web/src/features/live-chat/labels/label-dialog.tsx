import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import OutlinedInput from '@mui/material/OutlinedInput'
import Typography from '@mui/material/Typography'
import type { Label } from '@prosa/contracts/http/labels'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { Link } from 'react-router-dom'
import CheckedIcon from '~icons/ic/round-check-box'
import UncheckedIcon from '~icons/ic/round-check-box-outline-blank'
import SomeIcon from '~icons/ic/round-indeterminate-check-box'
import { LabelChip } from '../../../components/label-chip.tsx'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { NotRead } from '../../../components/notices/not-read-panel.tsx'
import { findLabels, labelsQuery } from '../../../lib/account/labels.ts'
import { settingsSection } from '../../../lib/paths.ts'
import { contactName } from '../contact-name.ts'
import { useLabelling } from './use-labelling.ts'

interface OptionProps {
  id: string
  label: Label
  count: number
  of: number
  isActive: boolean
  onToggle: () => void
}

const Option = ({ id, label, count, of, isActive, onToggle }: OptionProps) => {
  const isOnAll = count === of
  const isOnSome = count > 0 && !isOnAll
  useEffect(() => {
    if (isActive) document.getElementById(id)?.scrollIntoView?.({ block: 'nearest' })
  }, [id, isActive])
  return (
    <Box
      id={id}
      role="option"
      aria-selected={isOnAll}
      onClick={onToggle}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 3,
        minHeight: 'var(--target)',
        px: 3,
        cursor: 'pointer',
        borderRadius: 'var(--radius-control)',
        bgcolor: isActive ? 'primarySoft' : undefined,
        '@media (pointer: coarse)': { minHeight: 44 },
        '@media (hover: hover)': { '&:hover': { bgcolor: isActive ? 'primarySoft' : 'background.default' } },
        '& > svg': { color: count > 0 ? 'primary.main' : 'text.secondary', flexShrink: 0 },
      }}
    >
      {isOnAll ? <CheckedIcon aria-hidden /> : isOnSome ? <SomeIcon aria-hidden /> : <UncheckedIcon aria-hidden />}
      <LabelChip colour={label.colour}>{label.name}</LabelChip>
      {isOnSome && (
        <Typography component="span" variant="caption" sx={{ ml: 'auto', color: 'text.secondary', flexShrink: 0 }}>
          em {count} de {of}
        </Typography>
      )}
    </Box>
  )
}

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

interface ListProps {
  labels: Label[]
  contacts: readonly Contact[]
}

/** ↑ and ↓ move, Enter toggles. */
const LabelList = ({ labels, contacts }: ListProps) => {
  const { countOf, toggle, failure } = useLabelling(contacts)
  const [text, setText] = useState('')
  const [index, setIndex] = useState(0)
  const listId = useId()
  const found = findLabels(labels, text)
  const active = found[Math.min(index, found.length - 1)]
  const optionId = ({ id }: Label) => `${listId}-${id}`

  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (step !== undefined)
      setIndex((before) => (Math.min(before, found.length - 1) + step + found.length) % found.length)
    else if (active) toggle(active)
  }
  return (
    <>
      <OutlinedInput
        fullWidth
        autoFocus
        value={text}
        placeholder="Buscar etiqueta"
        onChange={(event) => {
          setText(event.target.value)
          setIndex(0)
        }}
        onKeyDown={onKeyDown}
        slotProps={{
          input: {
            role: 'combobox',
            'aria-label': 'Buscar etiqueta',
            'aria-expanded': true,
            'aria-controls': listId,
            'aria-activedescendant': active && optionId(active),
            autoComplete: 'off',
          },
        }}
      />
      <Box
        id={listId}
        role="listbox"
        aria-label="Etiquetas"
        aria-multiselectable
        sx={{ mt: 2, height: 'var(--popup-height)', overflowY: 'auto' }}
      >
        {found.map((label) => (
          <Option
            key={label.id}
            id={optionId(label)}
            label={label}
            count={countOf(label)}
            of={contacts.length}
            isActive={label === active}
            onToggle={() => toggle(label)}
          />
        ))}
      </Box>
      <Typography role="status" sx={{ minHeight: '1lh', color: 'danger' }}>
        {failure ?? (found.length === 0 ? 'Nenhuma etiqueta com este nome.' : '')}
      </Typography>
    </>
  )
}

interface Props {
  ids: readonly string[]
  contacts: readonly Contact[]
  onClose: () => void
}

export const LabelDialog = ({ ids, contacts, onClose }: Props) => {
  const { data: labels, error, refetch } = useQuery(labelsQuery)
  // Captured once: a change may remove them from the filtered list.
  const [labelled] = useState(() => ids.flatMap((id) => contacts.find((contact) => contact.id === id) ?? []))
  const titleId = useId()
  const [first] = labelled
  const title = labelled.length === 1 && first ? contactName(first) : `${labelled.length} conversas`
  const manage = (
    <Button component={Link} to={settingsSection('etiquetas')} onClick={onClose}>
      {labels?.length === 0 ? 'Criar etiqueta' : 'Gerenciar etiquetas'}
    </Button>
  )
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby={titleId}>
      <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
        Etiquetas de {title}
      </DialogTitle>
      <DialogContent>
        {labels && labels.length > 0 ? (
          <LabelList labels={labels} contacts={labelled} />
        ) : labels ? (
          <EmptyState
            title="Nenhuma etiqueta ainda"
            sentence="Crie etiquetas para separar as conversas, como “Orçamento” ou “Cliente fiel”."
            action={manage}
          />
        ) : error ? (
          <NotRead title="As etiquetas não puderam ser lidas" error={error} onRetry={() => void refetch()} />
        ) : (
          <Box role="status" aria-label="Carregando..." sx={{ height: 'var(--popup-height)' }} />
        )}
      </DialogContent>
      <DialogActions>
        {labels && labels.length > 0 && manage}
        <Button variant="contained" onClick={onClose}>
          Pronto
        </Button>
      </DialogActions>
    </Dialog>
  )
}
