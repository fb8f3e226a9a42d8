import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Typography from '@mui/material/Typography'
import { maximumLabelsOfContact } from '@prosa/contracts/values/lengths'
import { useQuery } from '@tanstack/react-query'
import { ChoiceGroup } from '../../../components/forms/choice-group.tsx'
import { Field } from '../../../components/forms/field.tsx'
import { labelsQuery } from '../../../lib/account/labels.ts'
import { Fold } from './fold.tsx'
import type { Scene } from './use-tryout.ts'

const hours = [
  { value: 'now', label: 'Como agora' },
  { value: 'open', label: 'Aberta' },
  { value: 'closed', label: 'Fechada' },
] as const

const acquaintance = [
  { value: 'new', label: 'Novo' },
  { value: 'known', label: 'Já conhecido' },
] as const

const choiceOf = (isOpen: boolean | null) => (isOpen === null ? 'now' : isOpen ? 'open' : 'closed')

interface Props {
  scene: Scene
  onChange: (scene: Scene) => void
}

const Labels = ({ scene, onChange }: Props) => {
  const { data: labels = [] } = useQuery(labelsQuery)
  const { labelIds } = scene.contact
  if (labels.length === 0) return null
  const toggle = (id: string) => {
    const chosen = labelIds.includes(id) ? labelIds.filter((each) => each !== id) : [...labelIds, id]
    onChange({ ...scene, contact: { ...scene.contact, labelIds: chosen } })
  }
  return (
    <Box role="group" aria-label="Etiquetas do contato">
      <Typography variant="subtitle2" component="p" aria-hidden="true">
        Etiquetas
      </Typography>
      <Box sx={{ maxHeight: 'var(--popup-height)', overflowY: 'auto', display: 'grid' }}>
        {labels.map(({ id, name }) => {
          const isChosen = labelIds.includes(id)
          return (
            <FormControlLabel
              key={id}
              label={name}
              disabled={!isChosen && labelIds.length >= maximumLabelsOfContact}
              control={<Checkbox size="small" checked={isChosen} onChange={() => toggle(id)} />}
            />
          )
        })}
      </Box>
    </Box>
  )
}

/** 'Ana Souza · contato novo · empresa como agora' */
const summaryOf = ({ contact, isOpen }: Scene) =>
  [
    contact.name.trim() || 'Sem nome',
    contact.isNew ? 'contato novo' : 'já conhecido',
    isOpen === null ? 'horário de agora' : isOpen ? 'empresa aberta' : 'empresa fechada',
  ].join(' · ')

export const SceneForm = ({ scene, onChange }: Props) => {
  const { contact, isOpen } = scene
  return (
    <Fold title="Quem escreve" summary={summaryOf(scene)}>
      <Box sx={{ display: 'grid', gap: 3, pb: 3 }}>
        <Field
          label="Nome do contato"
          autoComplete="off"
          maxLength={100}
          value={contact.name}
          onChange={(name) => onChange({ ...scene, contact: { ...contact, name } })}
        />
        <Box sx={{ display: 'grid', gap: 1 }}>
          <Typography variant="subtitle2" component="p" aria-hidden="true">
            O contato é
          </Typography>
          <ChoiceGroup
            label="O contato é"
            choices={acquaintance}
            value={contact.isNew ? 'new' : 'known'}
            onChange={(chosen) => onChange({ ...scene, contact: { ...contact, isNew: chosen === 'new' } })}
          />
        </Box>
        <Box sx={{ display: 'grid', gap: 1 }}>
          <Typography variant="subtitle2" component="p" aria-hidden="true">
            A empresa está
          </Typography>
          <ChoiceGroup
            label="A empresa está"
            choices={hours}
            value={choiceOf(isOpen)}
            onChange={(chosen) => onChange({ ...scene, isOpen: chosen === 'now' ? null : chosen === 'open' })}
          />
        </Box>
        <Labels scene={scene} onChange={onChange} />
      </Box>
    </Fold>
  )
}
