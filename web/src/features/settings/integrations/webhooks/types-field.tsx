import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { CodeText } from '../../../../components/code-text.tsx'
import { panelStyle } from '../../../../components/layout/panel.tsx'
import { NotReadPanel } from '../../../../components/notices/not-read-panel.tsx'
import { eventTypesQuery } from './api.ts'
import { type TypeGroup, typeGroups } from './webhook-words.ts'

interface Props {
  value: readonly string[]
  error: string | undefined
  onChange: (types: string[]) => void
}

const without = (value: readonly string[], removed: readonly string[]) =>
  value.filter((type) => !removed.includes(type))

const Group = ({
  group: { label, types },
  value,
  onChange,
}: Pick<Props, 'value' | 'onChange'> & { group: TypeGroup }) => {
  const all = types.map(({ type }) => type)
  const chosen = all.filter((type) => value.includes(type)).length
  const choose = (named: readonly string[], isOn: boolean) =>
    onChange(isOn ? [...without(value, named), ...named] : without(value, named))
  return (
    <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, minWidth: 0 }}>
      <FormControlLabel
        control={
          <Checkbox
            checked={chosen === all.length}
            indeterminate={chosen > 0 && chosen < all.length}
            onChange={(_event, isOn) => choose(all, isOn)}
          />
        }
        label={`${label}: todos (${chosen} de ${all.length})`}
        slotProps={{ typography: { variant: 'subtitle2' } }}
        sx={{ minHeight: 'var(--target)' }}
      />
      {types.map(({ type, sentence }) => (
        <FormControlLabel
          key={type}
          control={
            <Checkbox size="small" checked={value.includes(type)} onChange={(_event, isOn) => choose([type], isOn)} />
          }
          label={<CodeText>{sentence}</CodeText>}
          slotProps={{ typography: { variant: 'body2', sx: { overflowWrap: 'anywhere' } } }}
          sx={{
            display: 'flex',
            alignItems: 'flex-start',
            minHeight: 'var(--target)',
            py: 1,
            ml: 2,
            mr: 0,
            '& .MuiCheckbox-root': { mt: -2 },
          }}
        />
      ))}
    </Box>
  )
}

/** Types of events, by what they are about. */
export const TypesField = ({ value, error, onChange }: Props) => {
  const id = useId()
  const { data, error: notRead, refetch } = useQuery(eventTypesQuery)
  return (
    <Box
      role="group"
      aria-labelledby={`${id}t`}
      aria-describedby={`${id}h`}
      aria-invalid={error !== undefined}
      tabIndex={-1}
    >
      <Typography id={`${id}t`} variant="subtitle2">
        Eventos
      </Typography>
      {notRead && !data ? (
        <NotReadPanel title="Os tipos de evento não puderam ser lidos" error={notRead} onRetry={() => void refetch()} />
      ) : (
        <Box sx={{ ...panelStyle, mt: 1, px: 3, py: 1, height: 'calc(var(--target) * 6)', overflowY: 'auto' }}>
          {typeGroups(data ?? []).map((group) => (
            <Group key={group.service} group={group} value={value} onChange={onChange} />
          ))}
        </Box>
      )}
      <FormHelperText id={`${id}h`} error={error !== undefined} sx={{ mx: 0 }}>
        {error ?? 'Só o que acontecer depois de salvar é enviado.'}
      </FormHelperText>
    </Box>
  )
}
