import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { useEffect, useRef } from 'react'
import AddIcon from '~icons/ic/round-add'
import { FieldFrame } from '../../../components/forms/field-frame.tsx'

export interface ListedNode {
  id: string
  title: string
}

interface Props {
  of: string
  /** Of the output. */
  name: string
  target: ListedNode | undefined
  choices: readonly ListedNode[] | null
  onChoose: () => void
  onChosen: (target: string | null) => void
  onGo: (nodeId: string) => void
  onAdd: (anchor: HTMLElement) => void
}

const Choice = ({
  name,
  target,
  choices,
  onChosen,
}: Pick<Props, 'name' | 'target' | 'onChosen'> & {
  choices: readonly ListedNode[]
}) => {
  const select = useRef<HTMLSelectElement>(null)
  useEffect(() => select.current?.focus(), [])
  return (
    <FieldFrame label={`${name}, ir para`}>
      {(tied) => (
        <select
          {...tied}
          ref={select}
          value={target?.id ?? ''}
          onChange={({ target: { value } }) => onChosen(value === '' ? null : value)}
        >
          <option value="">Termina aqui</option>
          {choices.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  )
}

export const NodeOutput = ({ of, name, target, choices, onChoose, onChosen, onGo, onAdd }: Props) => {
  if (choices)
    return (
      <Box component="li" sx={{ listStyle: 'none' }}>
        <Choice name={name} target={target} choices={choices} onChosen={onChosen} />
      </Box>
    )
  return (
    <Box component="li" sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, listStyle: 'none' }}>
      <Box component="span" sx={{ color: 'text.secondary', typography: 'caption' }}>
        {name}
      </Box>
      {target ? (
        <Button
          size="small"
          onClick={() => onGo(target.id)}
          sx={{ minWidth: 0, px: 2, textAlign: 'left', justifyContent: 'flex-start' }}
        >
          {`→ ${target.title}`}
        </Button>
      ) : (
        <Box component="span" sx={{ px: 2 }}>
          Termina aqui
        </Box>
      )}
      <Button size="small" color="inherit" aria-label={`Mudar “${name}” de ${of}`} onClick={onChoose}>
        Mudar
      </Button>
      <IconButton
        color="secondary"
        aria-label={`Adicionar em “${name}” de ${of}`}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => onAdd(currentTarget)}
      >
        <AddIcon />
      </IconButton>
    </Box>
  )
}
