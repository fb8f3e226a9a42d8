import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { CodeBlock } from '../../../components/code-block.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { ChoiceGroup } from '../../../components/forms/choice-group.tsx'
import { panelStyle } from '../../../components/layout/panel.tsx'
import type { Question } from '../question.ts'
import { snippetOf, type Tool, toolNames, tools } from '../snippets.ts'

interface Props {
  question: Question
  fault: string | null
}

export const CopyAs = ({ question, fault }: Props) => {
  const [tool, setTool] = useState<Tool>('curl')
  const offered = tools.filter((each) => snippetOf(each, question, window.location.origin) !== undefined)
  const current = offered.includes(tool) ? tool : 'curl'
  const text = snippetOf(current, question, window.location.origin) ?? ''
  return (
    <Box
      component="section"
      aria-label="Copiar como"
      sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <Typography variant="h2">Copiar como</Typography>
      <ChoiceGroup
        label="Copiar como"
        choices={offered.map((each) => ({ value: each, label: toolNames[each] }))}
        value={current}
        onChange={setTool}
      />
      {fault === null ? (
        <Box sx={{ ...panelStyle, bgcolor: 'sunken', display: 'flex', alignItems: 'flex-start', gap: 2, pl: 3 }}>
          <CodeBlock
            aria-label={`Comando para ${toolNames[current]}`}
            sx={{ flex: 1, minWidth: 0, px: 0, bgcolor: 'transparent' }}
          >
            {text}
          </CodeBlock>
          <CopyButton text={text} what="o comando" done="Comando copiado!" />
        </Box>
      ) : (
        <Typography sx={{ color: 'text.secondary' }}>{fault}</Typography>
      )}
      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
        A chave vem da variável de ambiente <code>PROSA_KEY</code>, para não ficar no comando nem no histórico do
        terminal.
      </Typography>
    </Box>
  )
}
