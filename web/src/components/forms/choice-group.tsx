import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'

interface Props<Value extends string | number> {
  label: string
  choices: readonly { value: Value; label: string }[]
  /** Null: none. */
  value: Value | null
  onChange: (value: Value) => void
}

export const ChoiceGroup = <Value extends string | number>({ label, choices, value, onChange }: Props<Value>) => (
  <ToggleButtonGroup
    exclusive
    size="small"
    color="primary"
    aria-label={label}
    value={value}
    onChange={(_, chosen: Value | null) => chosen !== null && onChange(chosen)}
    sx={{
      flexWrap: 'wrap',
      gap: 2,
      // Separate borders, because the buttons may wrap.
      '& .MuiToggleButtonGroup-grouped': {
        m: 0,
        border: '1px solid var(--border-strong)',
        borderRadius: 'var(--radius-control)',
        '&.Mui-selected': { borderColor: 'primary.main' },
      },
    }}
  >
    {choices.map((choice) => (
      <ToggleButton
        key={choice.value}
        value={choice.value}
        sx={{ minHeight: 'var(--target)', px: 3, color: 'text.primary' }}
      >
        {choice.label}
      </ToggleButton>
    ))}
  </ToggleButtonGroup>
)
