import Box from '@mui/material/Box'
import OutlinedInput from '@mui/material/OutlinedInput'
import Typography from '@mui/material/Typography'
import type { Label } from '@prosa/contracts/http/labels'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import AddIcon from '~icons/ic/round-add'
import CheckedIcon from '~icons/ic/round-check-box'
import UncheckedIcon from '~icons/ic/round-check-box-outline-blank'
import SomeIcon from '~icons/ic/round-indeterminate-check-box'
import { ColourChoice } from '../../../components/labels/colour-choice.tsx'
import { LabelChip } from '../../../components/labels/label-chip.tsx'
import { findLabels } from '../../../lib/account/labels.ts'
import { useLabelling } from './use-labelling.ts'
import { useNewLabel } from './use-new-label.ts'

interface OptionProps {
  id: string
  isSelected: boolean
  isActive: boolean
  onChoose: () => void
  children: ReactNode
}

const Option = ({ id, isSelected, isActive, onChoose, children }: OptionProps) => {
  useEffect(() => {
    if (isActive) document.getElementById(id)?.scrollIntoView?.({ block: 'nearest' })
  }, [id, isActive])
  return (
    <Box
      id={id}
      role="option"
      aria-selected={isSelected}
      onClick={onChoose}
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
        '& > svg': { flexShrink: 0 },
      }}
    >
      {children}
    </Box>
  )
}

const Mark = ({ count, of }: { count: number; of: number }) => (
  <Box aria-hidden sx={{ display: 'flex', flexShrink: 0, color: count > 0 ? 'primary.main' : 'text.secondary' }}>
    {count === of ? <CheckedIcon /> : count > 0 ? <SomeIcon /> : <UncheckedIcon />}
  </Box>
)

interface LabelOptionProps extends Omit<OptionProps, 'children' | 'isSelected'> {
  label: Label
  /** How many of `of` contacts have it. */
  count: number
  of: number
}

const LabelOption = ({ label, count, of, ...option }: LabelOptionProps) => (
  <Option {...option} isSelected={count === of}>
    <Mark count={count} of={of} />
    <LabelChip colour={label.colour}>{label.name}</LabelChip>
    {count > 0 && count < of && (
      <Typography component="span" variant="caption" sx={{ ml: 'auto', color: 'text.secondary', flexShrink: 0 }}>
        em {count} de {of}
      </Typography>
    )}
  </Option>
)

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

interface Props {
  labels: Label[]
  contacts: readonly Contact[]
}

/** What is found for the text, the new label that it names, and which of them a key acts on. */
const useLabelChoice = ({ labels, contacts }: Props) => {
  const { countOf, toggle, failure } = useLabelling(contacts)
  const [text, setText] = useState('')
  const [index, setIndex] = useState(0)
  const [created, setCreated] = useState<string | null>(null)
  const { offered, create, ...creation } = useNewLabel(labels, text)
  const found = findLabels(labels, text)
  const last = found.length - (offered ? 0 : 1)
  const active = Math.min(index, last)

  const createAndPutOn = () =>
    create((label) => {
      setCreated(label.name)
      if (countOf(label) < contacts.length) toggle(label)
    })
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined && event.key !== 'Enter') return
    event.preventDefault()
    const label = found[active]
    if (step !== undefined) setIndex((active + step + last + 1) % (last + 1))
    else if (label) toggle(label)
    else if (offered) createAndPutOn()
  }
  const search = (written: string) => {
    setText(written)
    setIndex(0)
    setCreated(null)
    creation.forgetFailure()
  }
  const first = labels.length === 0 && text === '' ? 'Escreva o nome da primeira etiqueta.' : ''
  return {
    ...{ text, search, onKeyDown, found, countOf, toggle, offered, createAndPutOn },
    /** Of the found, then the offered; -1 where there is nothing. */
    active,
    isCreating: creation.isPending,
    chooseColour: creation.chooseColour,
    refused: failure ?? creation.failure,
    done: created === null ? first : `Etiqueta “${created}” criada.`,
  }
}

/** ↑ and ↓ move, Enter toggles, or creates what is written where no label has that name. */
export const LabelList = (props: Props) => {
  const { found, offered, active, refused, ...choice } = useLabelChoice(props)
  const of = props.contacts.length
  const listId = useId()
  const optionId = (at: number) => `${listId}-${found[at]?.id ?? 'new'}`
  return (
    <>
      <OutlinedInput
        fullWidth
        autoFocus
        value={choice.text}
        placeholder="Buscar ou criar etiqueta"
        onChange={(event) => choice.search(event.target.value)}
        onKeyDown={choice.onKeyDown}
        slotProps={{
          input: {
            role: 'combobox',
            'aria-label': 'Buscar ou criar etiqueta',
            'aria-expanded': true,
            'aria-controls': listId,
            'aria-activedescendant': active < 0 ? undefined : optionId(active),
            autoComplete: 'off',
          },
        }}
      />
      <Box
        id={listId}
        role="listbox"
        aria-label="Etiquetas"
        aria-multiselectable
        sx={{ mt: 2, height: offered ? 'calc(2.5 * var(--target))' : 'var(--popup-height)', overflowY: 'auto' }}
      >
        {found.map((label, at) => (
          <LabelOption
            key={label.id}
            {...{ label, of }}
            id={optionId(at)}
            count={choice.countOf(label)}
            isActive={at === active}
            onChoose={() => choice.toggle(label)}
          />
        ))}
        {offered && (
          <Option
            id={optionId(found.length)}
            isSelected={false}
            isActive={active === found.length}
            onChoose={choice.createAndPutOn}
          >
            <AddIcon aria-hidden />
            <span>{choice.isCreating ? 'Criando' : 'Criar'}</span>
            <LabelChip colour={offered.colour}>{offered.name}</LabelChip>
          </Option>
        )}
      </Box>
      {offered && (
        <Box onKeyDown={(event) => event.key === 'Enter' && choice.createAndPutOn()} sx={{ mt: 2 }}>
          <ColourChoice value={offered.colour} onChange={choice.chooseColour} />
        </Box>
      )}
      <Typography role="status" sx={{ mt: 2, minHeight: '1lh', color: refused ? 'danger' : 'text.secondary' }}>
        {refused ?? choice.done}
      </Typography>
    </>
  )
}
