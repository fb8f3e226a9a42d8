import IconButton from '@mui/material/IconButton'
import { useState } from 'react'
import LabelIcon from '~icons/ic/round-label'
import { KeyHint } from '../../../components/key-hint.tsx'
import { LabelsMenu } from './labels-menu.tsx'

export const LabelsButton = () => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <KeyHint title="Filtrar e selecionar">
        <IconButton
          aria-label="Filtrar e selecionar"
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          color="secondary"
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <LabelIcon />
        </IconButton>
      </KeyHint>
      {anchor && <LabelsMenu anchor={anchor} onClose={() => setAnchor(null)} />}
    </>
  )
}
