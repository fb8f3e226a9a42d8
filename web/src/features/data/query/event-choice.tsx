import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Typography from '@mui/material/Typography'
import type { PublishedStream } from '@prosa/contracts/http/streams'
import { useState } from 'react'
import { Field } from '../../../components/forms/field.tsx'
import { plural } from '../../../lib/format/format.ts'
import { plainText } from '../../../lib/format/plain-text.ts'
import type { Question } from '../question.ts'
import { serviceName, shortType } from '../service-words.ts'

interface Props {
  catalogue: readonly PublishedStream[]
  question: Question
  onChange: (part: Partial<Question>) => void
}

const toggled = (values: readonly string[], value: string, isOn: boolean): string[] =>
  isOn ? [...values, value] : values.filter((each) => each !== value)

const summaryOf = ({ services, types }: Question): string => {
  const parts = [
    ...(services.length > 0 ? [`tudo de ${services.map(serviceName).join(', ')}`] : []),
    ...(types.length > 0 ? [plural(types.length, 'tipo de evento', 'tipos de evento')] : []),
  ]
  return parts.length === 0 ? 'Todos os eventos' : parts.join(', só ')
}

interface ServiceProps extends Omit<Props, 'catalogue'> {
  service: string
  entries: readonly PublishedStream[]
  isSearched: boolean
}

const Service = ({ service, entries, isSearched, question, onChange }: ServiceProps) => {
  const { services, types } = question
  const chosen = entries.filter(({ type }) => types.includes(type)).length
  return (
    <Box
      component="details"
      open={isSearched || chosen > 0 || undefined}
      sx={{ '& > summary': { cursor: 'pointer', py: 2, typography: 'subtitle2' } }}
    >
      <summary>
        {serviceName(service)}
        <Typography component="span" variant="caption" sx={{ color: 'text.secondary', ml: 2 }}>
          {chosen > 0 ? `${chosen} de ${entries.length}` : entries.length}
        </Typography>
      </summary>
      <FormControlLabel
        control={
          <Checkbox
            size="small"
            checked={services.includes(service)}
            onChange={(_, isOn) => onChange({ services: toggled(services, service, isOn) })}
          />
        }
        label={`Tudo de ${serviceName(service)}`}
        sx={{ display: 'flex' }}
      />
      {entries.map(({ type, sentence }) => (
        <FormControlLabel
          key={type}
          control={
            <Checkbox
              size="small"
              checked={types.includes(type)}
              onChange={(_, isOn) => onChange({ types: toggled(types, type, isOn) })}
            />
          }
          label={
            <>
              <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
                {shortType(type)}
              </Box>
              <Typography variant="caption" sx={{ display: 'block', color: 'text.secondary' }}>
                {sentence}
              </Typography>
            </>
          }
          sx={{ display: 'flex', alignItems: 'flex-start', mr: 0, my: 1, '& .MuiCheckbox-root': { mt: -1.5 } }}
        />
      ))}
    </Box>
  )
}

export const EventChoice = ({ catalogue, question, onChange }: Props) => {
  const [search, setSearch] = useState('')
  const wanted = plainText(search.trim())
  const found = catalogue.filter(({ type, sentence }) => plainText(`${type} ${sentence}`).includes(wanted))
  const services = [...new Set(found.map(({ service }) => service))]
  const isNarrowed = question.services.length > 0 || question.types.length > 0
  return (
    <>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minHeight: 'var(--target)' }}>
        <Typography role="status" sx={{ flex: 1, minWidth: 0 }}>
          {summaryOf(question)}
        </Typography>
        {isNarrowed && (
          <Button size="small" color="inherit" onClick={() => onChange({ services: [], types: [] })}>
            Limpar
          </Button>
        )}
      </Box>
      <Field label="Buscar eventos" type="search" value={search} onChange={setSearch} autoComplete="off" />
      <Box sx={{ maxHeight: { lg: '50vh' }, overflowY: 'auto' }}>
        {services.map((service) => (
          <Service
            key={`${service} ${wanted}`}
            service={service}
            entries={found.filter((entry) => entry.service === service)}
            isSearched={wanted !== ''}
            question={question}
            onChange={onChange}
          />
        ))}
        {services.length === 0 && (
          <Typography sx={{ color: 'text.secondary', py: 3 }}>Nenhum evento tem isso no nome.</Typography>
        )}
      </Box>
    </>
  )
}
